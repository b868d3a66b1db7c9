#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The posterior of the components of many columns from noisy sums of their products: what report_axes tells.
[[nodiscard]] Posterior infer_wide(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                   const Conversation& conversation);

}  // namespace postern::infer
