#include "spread.hpp"

#include <vector>

namespace postern::infer {
namespace {

/// How far the shares are from equal ones.
double squared_distance(const model::PrincipalAxes& axes, std::size_t d) {
  const std::vector<double> values = model::component_values(axes);
  double sum = 0;
  for (std::size_t k = 0; k < d; ++k) {
    const double apart = values[k] - 1 / static_cast<double>(d);
    sum += apart * apart;
  }
  return sum;
}

}  // namespace

double share_of_differences(std::span<const model::PrincipalAxes> draws, std::size_t d) {
  const double each = 1 / static_cast<double>(draws.size());
  std::vector<double> covariance(d * d);
  double of_draws = 0;
  for (const model::PrincipalAxes& one : draws) {
    of_draws += each * squared_distance(one, d);
    for (std::size_t k = 0; k < d; ++k) {
      const double* v = one.axes.data() + k * d;
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) covariance[i * d + j] += each * one.variances[k] * v[i] * v[j];
      }
    }
  }
  return of_draws > 0 ? squared_distance(model::principal_axes(covariance, d), d) / of_draws : 1;
}

std::optional<Warning> spread_warning(std::span<const model::PrincipalAxes> draws, std::size_t d) {
  // Chosen on tables with tight bounds: one release of twenty of a table that holds falls below, at most.
  // docs/honesty.md has that half of the tables, and the other.
  constexpr double kLittle = 0.65;
  // Two columns have one share, whose interval is wide enough where noise hides it.
  constexpr std::size_t kFewest = 3;
  if (d < kFewest || share_of_differences(draws, d) >= kLittle) return std::nullopt;
  return Warning{
      "shares-spread",
      "the axes hardly stand out of the noise: it drives variances apart that are nearly equal, so "
      "that large shares come out too large and small ones too small, and their intervals may "
      "miss. A larger budget, fewer columns or bounds nearer to the data would help"};
}

}  // namespace postern::infer
