#pragma once

#include <array>

#include "mean_function.hpp"

namespace postern::infer {

/// A number with its slopes in the mean and the deviation of the predictor.
struct Sloped {
  double value = 0;
  double by_centre = 0;
  double by_spread = 0;
};

/// Moments of y with a predictor a = centre + spread x that is normal over the records, x standard normal:
/// E[y x^k] and E[y^2 x^k].
struct TargetMoments {
  std::array<Sloped, 4> mean;
  std::array<Sloped, 3> square;
};
/// Accuracy: 1e-8 for spreads up to 4, 1e-4 up to 10.
[[nodiscard]] TargetMoments target_moments(const MeanFunction& function, double centre, double spread);
/// With half as many points where the spread allows it: 1e-6.
[[nodiscard]] TargetMoments quick_target_moments(const MeanFunction& function, double centre, double spread);

/// What is left of y's products with the records once the sums of 1, x and x x^T are given, a record: of
/// y times any direction of x that the predictor does not see (`other`), and of (y, y x) together.
struct Leftover {
  Sloped other;
  Sloped first, cross, second;  ///< of the covariance of (y, y x)
};
/// What is added to variances: a floor, since sums of whole numbers are never surer than that; and the square
/// of what features that are not normal do to means, which is in proportion to the third and the fourth
/// coefficient of the curve's Hermite series.
struct Extra {
  double floor = 0;
  double third = 0;
  double fourth = 0;
};
[[nodiscard]] Leftover leftover(const TargetMoments& moments, const Extra& extra);

}  // namespace postern::infer
