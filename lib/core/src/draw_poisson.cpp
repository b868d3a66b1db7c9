#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern {
namespace {

constexpr double kSmall = 12;
constexpr double kHuge = 0x1p52;

/// Inversion: the least k whose cumulative probability passes u.
double draw_small(double rate, Rng& rng) {
  double left = rng.uniform();
  double probability = std::exp(-rate);
  double k = 0;
  while (left > probability && k < 200) {
    left -= probability;
    ++k;
    probability *= rate / k;
  }
  return k;
}

}  // namespace

double draw_poisson(double rate, Rng& rng) {
  if (rate > kHuge) return std::max(0.0, std::round(rate + std::sqrt(rate) * draw_normal(rng)));
  double arrivals = 0;
  // The m-th arrival time is a gamma variable: past `rate` the earlier ones are uniform before it, otherwise
  // those after it are a Poisson number again (Ahrens & Dieter 1974). m about 7/8 of the rate: a few rounds.
  while (rate > kSmall) {
    const double m = std::floor(rate * 0.875);
    const double time = draw_gamma(m, rng);
    if (time > rate)
      return arrivals +
             static_cast<double>(draw_binomial(static_cast<std::int64_t>(m) - 1, rate / time, rng));
    arrivals += m;
    rate -= time;
  }
  return arrivals + draw_small(rate, rng);
}

}  // namespace postern
