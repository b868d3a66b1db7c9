#pragma once

#include <cstddef>
#include <memory>

#include "postern/infer/predictor.hpp"
#include "postern/infer/record_sampler.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Any column of a network given others; `study` has that network as its model (make_problem.hpp). Where the
/// posterior is the exact one of a star, the engine is made again and its predictive used.
[[nodiscard]] std::unique_ptr<const Predictor> predict_columns(const model::Study& study, const Basis& basis,
                                                               std::size_t target);
[[nodiscard]] std::unique_ptr<const RecordSampler> network_records(const model::Study& study);

}  // namespace postern::infer
