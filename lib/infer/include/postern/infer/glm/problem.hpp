#pragma once

#include <optional>
#include <vector>

#include "postern/infer/moments/problem.hpp"
#include "postern/infer/regression/problem.hpp"

namespace postern::infer {

/// The law of the target y given the predictor a, y scaled to -1..1.
struct GlmLaw {
  /// 0: two levels, -1 and 1, P(1) = 1 / (1 + e^-a). Above: a Poisson count of mean e^a that is clamped to so
  /// many at most; y = 2 count / most - 1.
  double most_counted = 0;
  [[nodiscard]] bool counts() const { return most_counted > 0; }
  /// Between two values that y can have.
  [[nodiscard]] double spacing() const { return counts() ? 2 / most_counted : 2; }
};

/// What is known of the records of one record set: noisy sums of products of w = (1, x, y) but for y's
/// square, and priors. Of `sums.prior` the law of x is used and nothing else. The predictor of a record is
/// (1, x)^T theta; theta_0 ~ N(intercept_mean, intercept_sd^2), the others ~ N(0, slope_sd^2).
struct GlmProblem {
  RegressionProblem sums;
  std::vector<bool> indicators;  ///< which features are 0 or 1; none where this is empty
  /// Are features normal together, as the engine takes them to be? Else what that gets wrong is estimated,
  /// and intervals are wider by it.
  bool normal_features = true;
  GlmLaw law;
  double intercept_mean = 0;
  double intercept_sd = 2.5;
  double slope_sd = 2.5;
  // What the prior whose scales are learned takes, in the place of the law of x and of those sds.
  std::vector<std::optional<TwoLevels>> two_levels;  ///< as of ScatterProblem, features alone
  double prior_scale = 1;                            ///< multiplies the centres of its scales
};

}  // namespace postern::infer
