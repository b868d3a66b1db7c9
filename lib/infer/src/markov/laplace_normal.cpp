#include "markov/laplace_normal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace postern::infer::markov {
namespace {

/// log of e^{a^2} erfc(a) / 2, where a^2 - exponent is what the caller has taken out already: for small a the
/// product is taken apart, so that neither factor over- nor underflows.
double log_half_erfc(double a, double exponent, double exponent_less_square) {
  constexpr double far = 25;  // erfc(25) = 8e-274
  if (a < far) return exponent + std::log(0.5 * std::erfc(a));
  const double x = 1 / (2 * a * a);
  const double series = 1 - x * (1 - 3 * x * (1 - 5 * x * (1 - 7 * x * (1 - 9 * x * (1 - 11 * x)))));
  return exponent_less_square + std::log(series / (2 * a * std::sqrt(std::numbers::pi)));
}

}  // namespace

// f(r) = e^{v / 2b^2} / 2b (e^{-r/b} Phi((r - v/b) / sqrt v) + e^{r/b} Phi((-r - v/b) / sqrt v)); its two
// terms t1, t2 have f' = (t2 - t1) / b and f'' = (f - normal density) / b^2.
LogDensity laplace_normal(double r, double scale, double variance) {
  const double root = std::sqrt(2 * variance);
  const double half = variance / (2 * scale * scale);
  const double square = -r * r / (2 * variance);
  const double first = log_half_erfc((variance / scale - r) / root, half - r / scale, square);
  const double second = log_half_erfc((variance / scale + r) / root, half + r / scale, square);
  const double most = std::max(first, second);
  const double e1 = std::exp(first - most);
  const double e2 = std::exp(second - most);
  const double log_sum = most + std::log(e1 + e2);
  LogDensity out;
  out.value = log_sum - std::log(2 * scale);
  out.slope = (e2 - e1) / (e1 + e2) / scale;
  const double normal = std::exp(square - log_sum) / std::sqrt(2 * std::numbers::pi * variance) * 2 * scale;
  out.curvature = std::max(0.0, out.slope * out.slope - (1 - normal) / (scale * scale));
  return out;
}

}  // namespace postern::infer::markov
