#pragma once

#include <span>

#include "postern/infer/glm/problem.hpp"

#include "mean_function.hpp"
#include "regression/matrix.hpp"

namespace postern::infer {

/// How far the predictor is from normal: the squares of its standardised third and fourth cumulants with the
/// features, over 4 and 36, which times those of the curve's Hermite coefficients are what they do to the
/// means of sums of a record. Features are taken for independent; both are bounded, the series being of no
/// use beyond.
struct NonNormality {
  double third = 0;
  double fourth = 0;
};
[[nodiscard]] NonNormality non_normality(const GlmProblem& problem, const Matrix& sums, double n,
                                         std::span<const double> theta);
/// Adds to `out` the slope by theta of a function whose slopes by the two are `by`.
void add_non_normality_slope(const GlmProblem& problem, const Matrix& sums, double n,
                             std::span<const double> theta, const NonNormality& by, std::span<double> out);

/// By how much the slope of y on the predictor, and with it theta, would be off as a share of itself if the
/// features were not normal but these: indicators as they are, numbers beta over their range with the
/// same means and variances. By the first terms of the Gram-Charlier series in the predictor's skewness and
/// kurtosis, features being taken for independent; at most 1. `sums` are those of (1, x), t and theta as in
/// GlmTarget.
[[nodiscard]] double slope_error(const GlmProblem& problem, const MeanFunction& function, const Matrix& sums,
                                 double n, std::span<const double> t, std::span<const double> theta);

}  // namespace postern::infer
