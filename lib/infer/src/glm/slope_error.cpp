#include "slope_error.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {
namespace {

constexpr double kLeastVariance = 1e-12;  // of a predictor that has a shape

/// Third and fourth standardised cumulants: both 0 of a normal law.
struct Shape {
  double skewness = 0;
  double kurtosis = 0;
};

Shape shape_of_indicator(double mean) {
  const double p = std::clamp(mean, 1e-3, 1 - 1e-3);
  const double variance = p * (1 - p);
  return {(1 - 2 * p) / std::sqrt(variance), (1 - 6 * variance) / variance};
}

/// Of a beta law on -1..1 with this mean and variance.
Shape shape_of_beta(double mean, double variance) {
  const double p = std::clamp((1 + mean) / 2, 1e-3, 1 - 1e-3);
  const double most = p * (1 - p);
  const double v = std::clamp(variance / 4, 1e-6, 0.9 * most);
  const double size = most / v - 1;  // the sum of both parameters
  const double a = p * size;
  const double b = size - a;
  const double skewness = 2 * (b - a) * std::sqrt(size + 1) / ((size + 2) * std::sqrt(a * b));
  const double kurtosis =
      6 * ((a - b) * (a - b) * (size + 1) - a * b * (size + 2)) / (a * b * (size + 2) * (size + 3));
  return {skewness, kurtosis};
}

/// What a feature is, and the deviation that it gives to the predictor.
struct Part {
  double size = 0;
  Shape shape;
};
Part part_of(const GlmProblem& problem, const Matrix& sums, double n, std::span<const double> theta,
             std::size_t i) {
  const double mean = sums(i, 0) / n;
  const double variance = std::max(sums(i, i) / n - mean * mean, 1e-12);
  const bool indicator = i - 1 < problem.indicators.size() && problem.indicators[i - 1];
  return {theta[i] * std::sqrt(variance),
          indicator ? shape_of_indicator(mean) : shape_of_beta(mean, variance)};
}

/// Of the sum of independent features, each times its coefficient.
Shape shape_of_predictor(const GlmProblem& problem, const Matrix& sums, double n,
                         std::span<const double> theta) {
  double variance = 0;
  double third = 0;
  double fourth = 0;
  for (std::size_t i = 1; i < theta.size(); ++i) {
    const auto [size, shape] = part_of(problem, sums, n, theta, i);
    variance += size * size;
    third += size * size * size * shape.skewness;
    fourth += size * size * size * size * shape.kurtosis;
  }
  if (!(variance > kLeastVariance)) return {};
  return {third / (variance * std::sqrt(variance)), fourth / (variance * variance)};
}

constexpr double kMostThird = 9;
constexpr double kMostFourth = 36;

/// The squares of the predictor's cumulants with the features, not bounded yet.
struct Squares {
  double variance = 0;
  double third = 0;
  double fourth = 0;
};
Squares squares_of(const GlmProblem& problem, const Matrix& sums, double n, std::span<const double> theta) {
  Squares out;
  for (std::size_t i = 1; i < theta.size(); ++i) {
    const auto [size, shape] = part_of(problem, sums, n, theta, i);
    const double square = size * size;
    out.variance += square;
    out.third += square * square * shape.skewness * shape.skewness;
    out.fourth += square * square * square * shape.kurtosis * shape.kurtosis;
  }
  if (!(out.variance > kLeastVariance)) return {};
  out.third /= out.variance * out.variance;
  out.fourth /= out.variance * out.variance * out.variance;
  return out;
}

}  // namespace

NonNormality non_normality(const GlmProblem& problem, const Matrix& sums, double n,
                           std::span<const double> theta) {
  const Squares found = squares_of(problem, sums, n, theta);
  return {std::min(found.third, kMostThird) / 4, std::min(found.fourth, kMostFourth) / 36};
}

void add_non_normality_slope(const GlmProblem& problem, const Matrix& sums, double n,
                             std::span<const double> theta, const NonNormality& by, std::span<double> out) {
  const Squares found = squares_of(problem, sums, n, theta);
  if (!(found.variance > kLeastVariance)) return;
  const double by_third = found.third < kMostThird ? by.third / 4 : 0;
  const double by_fourth = found.fourth < kMostFourth ? by.fourth / 36 : 0;
  for (std::size_t i = 1; i < theta.size(); ++i) {
    const auto [size, shape] = part_of(problem, sums, n, theta, i);
    const double share = size * size / found.variance;
    const double third = 2 * (share * shape.skewness * shape.skewness - found.third);
    const double fourth = 3 * (share * share * shape.kurtosis * shape.kurtosis - found.fourth);
    // By the share, times the share's slope; a slope of 0 gives none.
    if (theta[i] != 0) out[i] += 2 * share / theta[i] * (by_third * third + by_fourth * fourth);
  }
}

double slope_error(const GlmProblem& problem, const MeanFunction& function, const Matrix& sums, double n,
                   std::span<const double> t, std::span<const double> theta) {
  double squares = 0;
  for (std::size_t i = 1; i < t.size(); ++i) squares += t[i] * t[i];
  const double spread = std::sqrt(squares);
  if (!(spread > 1e-6)) return 0;
  const Shape shape = shape_of_predictor(problem, sums, n, theta);
  double normal = 0;
  double change = 0;
  constexpr double kStep = 0.25;
  for (int i = -28; i <= 28; ++i) {
    const double x = kStep * i;
    const double y = std::exp(-0.5 * x * x) * x * function.at(t[0] + spread * x).mean;
    const double third = x * x * x - 3 * x;
    const double fourth = x * x * x * x - 6 * x * x + 3;
    normal += y;
    change += y * (shape.skewness / 6 * third + shape.kurtosis / 24 * fourth);
  }
  return std::clamp(change / normal, -1.0, 1.0);
}

}  // namespace postern::infer
