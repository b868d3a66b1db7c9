#include "postern/assess/bounds/noise_bound.hpp"

#include <algorithm>
#include <cmath>

#include "domain.hpp"

namespace postern::assess {
namespace {

void check(const CellNoise& noise, double delta) {
  check_positive(noise.rate);
  check_positive(static_cast<double>(noise.cells));
  check_probability(delta);
}

/// log P(|Z| > z) = log(2 a^(z+1) / (1 + a)), a = e^-rate.
double log_beyond(double rate, double z) { return std::log(2 / (1 + std::exp(-rate))) - rate * (z + 1); }

/// The least z >= 0 with log_beyond(z) <= log_probability, as a real number rounded up.
double least_radius(double rate, double log_probability) {
  const double z = (std::log(2 / (1 + std::exp(-rate))) - log_probability) / rate - 1;
  return std::max(0.0, std::ceil(z));
}

}  // namespace

double continuous_noise_bound(const CellNoise& noise, double delta) {
  check(noise, delta);
  return std::log(static_cast<double>(noise.cells) / delta) / noise.rate;
}

double discrete_noise_union_bound(const CellNoise& noise, double delta) {
  check(noise, delta);
  return least_radius(noise.rate, std::log(delta / static_cast<double>(noise.cells)));
}

double discrete_noise_bound(const CellNoise& noise, double delta) {
  check(noise, delta);
  const auto cells = static_cast<double>(noise.cells);
  const double each = -std::expm1(std::log1p(-delta) / cells);  // 1 - (1 - delta)^(1/K)
  const auto holds = [&](double z) { return log_beyond(noise.rate, z) <= std::log(each); };
  double z = least_radius(noise.rate, std::log(each));
  while (!holds(z)) ++z;  // rounding of the quotient may have taken one too few, or one too many
  while (z > 0 && holds(z - 1)) --z;
  return z;
}

}  // namespace postern::assess
