#pragma once

#include <optional>

#include "postern/core/warning.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/infer/regression/problem.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// prior-outweighs-data where the deviation around the line would be another if its prior counted half, by
/// 0.4 of its own uncertainty or by a fifth: draws are weighed by one over the square root of that prior. The
/// prior hardly allows residuals that are small beside the target's range, and much noise leaves it the word.
[[nodiscard]] std::optional<Warning> sigma_prior_warning(const Posterior& posterior,
                                                         const RegressionPrior& prior,
                                                         const model::Study& study);

}  // namespace postern::infer
