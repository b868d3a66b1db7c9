#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// What is asked of the columns. A learned prior of columns whose axes are asked for takes their sds to be
/// alike in the study's units.
enum class Asked { normal, axes };

/// The posterior of a multivariate normal's means and covariances given releases of one or more datasets.
[[nodiscard]] Posterior infer_vector(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                     const Conversation& conversation, Asked asked = Asked::normal);

}  // namespace postern::infer
