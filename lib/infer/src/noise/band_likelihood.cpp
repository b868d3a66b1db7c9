#include "postern/infer/noise/band_likelihood.hpp"

#include <cmath>
#include <numbers>

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;
using release::Gaussian;
using release::Laplace;

constexpr double kMinusInfinity = -HUGE_VAL;

/// log P(Z > z) of a standard normal variable, z >= 0.
double log_normal_tail(double z) {
  if (z < 30) return std::log(0.5 * std::erfc(z / std::numbers::sqrt2));
  const double w = 1 / (z * z);
  return -0.5 * z * z - std::log(z) - 0.5 * std::log(2 * std::numbers::pi) + std::log1p(-w + 3 * w * w);
}

// log P(noise > x), x >= 0; of discrete noise x is whole.

double log_above(const Laplace& law, double x) { return -x / law.scale() - std::numbers::ln2; }

double log_above(const Gaussian& law, double x) { return log_normal_tail(x / std::sqrt(law.sigma2())); }

double log_above(const DiscreteLaplace& law, double x) {
  return -law.lambda() * (x + 1) - std::log1p(std::exp(-law.lambda()));
}

double log_above(const DiscreteGaussian& law, double x) {
  const double first = x + 1;
  const double sigma2 = law.sigma2();
  constexpr double kSummed = 2500;
  if (sigma2 < kSummed || first > 20 * sigma2) {
    // Terms relative to the first: exp(-(2 j first + j^2) / (2 sigma2)).
    double sum = 1;
    for (double j = 1;; ++j) {
      const double term = std::exp(-(2 * j * first + j * j) / (2 * sigma2));
      sum += term;
      if (term < 1e-17 * sum) break;
    }
    return law.log_pmf(first) + std::log(sum);
  }
  // The midpoint rule and two of its corrections, of the first and the third derivative, over the integral.
  const double sd = std::sqrt(sigma2);
  const double z = (x + 0.5) / sd;
  const double log_integral = log_normal_tail(z);
  const double hazard = std::exp(-0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi) - log_integral);
  const double third = 7 * z * (3 - z * z) / (5760 * sigma2);
  return log_integral + std::log1p(-hazard / sigma2 * (z / 24 + third));
}

double log_above(const release::NoiseLaw& law, double x) {
  if (x == HUGE_VAL) return kMinusInfinity;
  return std::visit([x](const auto& l) { return log_above(l, x); }, law);
}

}  // namespace

double BandLikelihood::log_at(double s) const {
  double low = band_.low - s;
  double high = band_.high - s;
  if (high < 0) {  // all laws are symmetric
    const double mirrored = -high;
    high = -low;
    low = mirrored;
  }
  if (low > 0) {
    const double from = log_above(law_, release::is_discrete(law_) ? low - 1 : low);
    const double beyond = log_above(law_, high);
    return from + std::log(-std::expm1(beyond - from));
  }
  return std::log1p(-std::exp(log_above(law_, high)) - std::exp(log_above(law_, -low)));
}

Band BandLikelihood::reach(double nats) const {
  const double beyond = release::radius(law_, nats);
  const auto from = [beyond](double end, double other, double sign) {
    // An open end is flat: one reach inside of the other end nothing is left to see.
    return (std::isinf(end) ? other : end) + sign * beyond;
  };
  return {from(band_.low, band_.high, -1), from(band_.high, band_.low, 1)};
}

}  // namespace postern::infer
