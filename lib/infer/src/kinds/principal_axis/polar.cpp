#include "polar.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/core/draw.hpp"

namespace postern::infer {
namespace {

constexpr double kHalfTurn = std::numbers::pi;
constexpr std::size_t kCells = 96;
constexpr double kFromPrior = 0.02;

/// log I_0(x), the modified Bessel function, to 2e-7 (Abramowitz and Stegun 1964, 9.8.1 and 9.8.2).
double log_bessel(double x) {
  if (x < 3.75) {
    const double t = x * x / (3.75 * 3.75);
    return std::log(
        1 + t * (3.5156229 +
                 t * (3.0899424 + t * (1.2067492 + t * (0.2659732 + t * (0.0360768 + t * 0.0045813))))));
  }
  const double t = 3.75 / x;
  const double tail =
      0.39894228 +
      t * (0.01328592 +
           t * (0.00225319 +
                t * (-0.00157565 +
                     t * (0.00916281 +
                          t * (-0.02057706 + t * (0.02635537 + t * (-0.01647633 + t * 0.00392377)))))));
  return x - 0.5 * std::log(x) + std::log(tail);
}

/// An angle with density proportional to e^{k cos angle}: by rejection, from even angles or, where it is
/// narrow, from a normal law that is above it since cos a <= 1 - 2 a^2 / pi^2.
double draw_von_mises(double k, Rng& rng) {
  for (;;) {
    const double at =
        k < 1 ? kHalfTurn * (2 * rng.uniform() - 1) : kHalfTurn / (2 * std::sqrt(k)) * draw_normal(rng);
    if (std::abs(at) > kHalfTurn) continue;
    const double under = k * (std::cos(at) - 1) + (k < 1 ? 0 : 2 * k * at * at / (kHalfTurn * kHalfTurn));
    if (-draw_exponential(rng) < under) return at;
  }
}

}  // namespace

PolarPosterior::PolarPosterior(const AxisSums& sums, double sigma, double spread)
    : sums_(sums), sigma2_(sigma * sigma), spread_(spread) {
  constexpr double kNegligible = 30;
  constexpr double kDeviations = 8;
  double hi = kDeviations * spread;
  std::vector<double> logs(kCells);
  double top = 0;
  for (int look = 0; look < 3; ++look) {
    step_ = (hi - lo_) / static_cast<double>(kCells);
    for (std::size_t i = 0; i < kCells; ++i)
      logs[i] = log_of_length(lo_ + (static_cast<double>(i) + 0.5) * step_);
    top = *std::max_element(logs.begin(), logs.end());
    if (look == 2) break;
    std::size_t first = 0;
    std::size_t last = kCells - 1;
    while (logs[first] < top - kNegligible) ++first;
    while (logs[last] < top - kNegligible) --last;
    hi = lo_ + step_ * static_cast<double>(last + 2);
    lo_ = std::max(0.0, lo_ + step_ * (static_cast<double>(first) - 1));
  }
  double sum = 0;
  for (const double log : logs) cumulative_.push_back(sum += std::exp(log - top));
  for (double& part : cumulative_) part /= sum;
}

/// By how much a square along theta counts for that length.
double PolarPosterior::gain(double length) const {
  return 0.5 * length * length / (sigma2_ * (sigma2_ + length * length));
}

double PolarPosterior::log_of_length(double length) const {
  const double by = gain(length);
  return std::log(length) - 0.5 * length * length / (spread_ * spread_) -
         0.5 * sums_.n * std::log1p(length * length / sigma2_) + by * (sums_.most + sums_.least) / 2 +
         log_bessel(by * (sums_.most - sums_.least) / 2);
}

std::array<double, 2> PolarPosterior::draw(Rng& rng) const {
  if (rng.uniform() < kFromPrior) return {spread_ * draw_normal(rng), spread_ * draw_normal(rng)};
  const auto found = std::lower_bound(cumulative_.begin(), cumulative_.end(), rng.uniform());
  const auto cell = static_cast<double>(std::min(found, cumulative_.end() - 1) - cumulative_.begin());
  const double length = lo_ + step_ * (cell + rng.uniform());
  const double turned = draw_von_mises(gain(length) * (sums_.most - sums_.least) / 2, rng) / 2;
  const double angle = sums_.angle + turned + (rng.uniform() < 0.5 ? kHalfTurn : 0);
  return {length * std::cos(angle), length * std::sin(angle)};
}

double PolarPosterior::log_density(double theta_1, double theta_2) const {
  const double length = std::hypot(theta_1, theta_2);
  const double prior =
      std::exp(-0.5 * length * length / (spread_ * spread_)) / (2 * kHalfTurn * spread_ * spread_);
  double likely = 0;
  const double at = (length - lo_) / step_;
  if (at >= 0 && at < static_cast<double>(kCells)) {
    const auto cell = static_cast<std::size_t>(at);
    const double mass = cumulative_[cell] - (cell == 0 ? 0 : cumulative_[cell - 1]);
    const double k = gain(length) * (sums_.most - sums_.least) / 2;
    const double turned = 2 * (std::atan2(theta_2, theta_1) - sums_.angle);
    likely = mass / step_ * std::exp(k * std::cos(turned) - log_bessel(k)) / (2 * kHalfTurn * length);
  }
  return std::log((1 - kFromPrior) * likely + kFromPrior * prior);
}

}  // namespace postern::infer
