#pragma once

#include <cmath>
#include <numbers>

namespace postern::infer {

/// The logarithm of a moment-generating function and its first two derivatives.
struct Cumulant {
  double value = 0;
  double mean = 0;
  double variance = 0;
};

/// log P(sum >= x) of `count` independent variables by Lugannani and Rice's saddle-point formula, with
/// Daniels' correction where they are whole numbers. `cumulant(s)` is that of one variable for s in
/// (low, high), its mean rising without bound towards `high`. @pre x is not the mean of the sum
template <class CumulantOf>
[[nodiscard]] double log_saddle_tail(const CumulantOf& cumulant, double count, double x, double low,
                                     double high, bool whole) {
  constexpr int kHalvings = 80;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (count * cumulant(middle).mean < x ? low : high) = middle;
  }
  const double s = low;
  const Cumulant at = cumulant(s);
  const double depth = std::fmax(s * x - count * at.value, 0.0);
  const double w = std::copysign(std::sqrt(2 * depth), s);
  const double u = (whole ? -std::expm1(-s) : s) * std::sqrt(count * at.variance);
  // Both parts of the tail are multiples of e^-depth, so that nothing underflows.
  const double scaled_tail = 0.5 * std::erfc(w / std::numbers::sqrt2) * std::exp(depth);
  const double correction = (1 / u - 1 / w) / std::sqrt(2 * std::numbers::pi);
  return -depth + std::log(std::fmax(scaled_tail + correction, 1e-300));
}

}  // namespace postern::infer
