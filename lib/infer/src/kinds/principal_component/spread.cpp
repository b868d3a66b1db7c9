#include "spread.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace postern::infer {

double share_spread(std::span<const model::PrincipalAxes> draws, std::size_t d) {
  const double each = 1 / static_cast<double>(draws.size());
  std::vector<double> covariance(d * d), mean(d), square(d);
  for (const model::PrincipalAxes& one : draws) {
    const std::vector<double> values = model::component_values(one);
    for (std::size_t k = 0; k < d; ++k) {
      mean[k] += each * values[k];
      square[k] += each * values[k] * values[k];
      const double* v = one.axes.data() + k * d;
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) covariance[i * d + j] += each * one.variances[k] * v[i] * v[j];
      }
    }
  }
  const std::vector<double> of_mean = model::component_values(model::principal_axes(covariance, d));
  double most = 0;
  for (std::size_t k = 0; k < d; ++k) {
    const double sd = std::sqrt(std::max(0.0, square[k] - mean[k] * mean[k]));
    if (sd > 0) most = std::max(most, std::abs(mean[k] - of_mean[k]) / sd);
  }
  return most;
}

std::optional<Warning> spread_warning(std::span<const model::PrincipalAxes> draws, std::size_t d) {
  constexpr double kMuch = 0.5;
  const double spread = share_spread(draws, d);
  if (spread < 0 * kMuch) return std::nullopt;
  return Warning{
      "shares-spread",
      "some axes do not stand out of the noise: variances that are nearly equal are driven apart by noise, so "
      "that large shares come out too large and small ones too small, and their intervals may miss. A larger "
      "budget, fewer columns or bounds nearer to the data would help SPREAD " + std::to_string(spread)};
}

}  // namespace postern::infer
