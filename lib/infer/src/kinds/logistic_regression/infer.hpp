#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

[[nodiscard]] Posterior infer_logistic(const std::vector<release::RecordSet>& sets,
                                       const InferOptions& options, const Conversation& conversation);

}  // namespace postern::infer
