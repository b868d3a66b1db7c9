#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/graph/dag.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/predictor.hpp"
#include "postern/infer/record_sampler.hpp"

namespace postern::infer {

/// A network whose parameters are the cells of its tables, one behind the other.
struct NetworkStructure {
  graph::Dag dag;
  graph::Sizes sizes;
  std::vector<std::string> names;  ///< for refusals
};

/// Any variable of a network given others, under draws of its tables; with an exact posterior of a star, its
/// predictive. Fails: engine_limit where elimination of what is missing takes too much memory.
[[nodiscard]] std::unique_ptr<const Predictor> network_predictor(NetworkStructure shape, SomeDraws draws,
                                                                 std::size_t target,
                                                                 std::unique_ptr<const StarPosterior> exact);
[[nodiscard]] std::unique_ptr<const RecordSampler> network_record_sampler(NetworkStructure shape);

}  // namespace postern::infer
