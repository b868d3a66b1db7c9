#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The posterior of an axis of two columns from the candidate that was chosen: what report_axes tells.
[[nodiscard]] Posterior infer_axis(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                   const Conversation& conversation);

}  // namespace postern::infer
