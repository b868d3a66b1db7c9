#pragma once

#include <cstddef>
#include <memory>

#include "postern/infer/predictor.hpp"
#include "postern/infer/record_sampler.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Any column of a network given others. Where the posterior is the exact one of a star, the engine is made
/// again and its predictive used.
[[nodiscard]] std::unique_ptr<const Predictor> bayes_net_predictor(const Basis& basis, std::size_t target);
[[nodiscard]] std::unique_ptr<const RecordSampler> bayes_net_record_sampler(const model::Study& study);

}  // namespace postern::infer
