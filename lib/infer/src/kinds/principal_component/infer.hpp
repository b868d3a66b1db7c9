#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The posterior of shares of the variance and of variances along the principal axes; then n where it is
/// private, the loadings of the axes that are asked for, and how far each axis is from its mean. Every draw
/// is the eigensystem of a draw of the multivariate normal's covariance.
[[nodiscard]] Posterior infer_components(const std::vector<release::RecordSet>& sets,
                                         const InferOptions& options, const Conversation& conversation);

}  // namespace postern::infer
