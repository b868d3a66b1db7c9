#pragma once

#include <string>
#include <vector>

#include "count_model.hpp"

namespace postern::infer {

/// One dataset's record set as the engines see it.
struct NamedProblem {
  std::string dataset;
  CountProblem problem;
};

/// The posterior of a model of counts given releases of one or more datasets, by Markov chains. `why` begins
/// the reason.
[[nodiscard]] Posterior infer_gibbs(const CountModel& model, std::vector<NamedProblem> groups,
                                    const std::string& why, const InferOptions& options,
                                    const Conversation& conversation);

}  // namespace postern::infer
