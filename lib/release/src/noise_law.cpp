#include "postern/release/noise_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"

namespace postern::release {
namespace {

double checked_parameter(double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw Error(ErrorCode::bad_value, {"a noise parameter must be positive and finite"});
  }
  return value;
}

/// log tanh(lambda / 2), with full relative accuracy also where it is nearly 0.
double log_tanh_half(double lambda) {
  if (lambda < 1) return std::log(std::tanh(lambda / 2));
  const double q = std::exp(-lambda);
  return std::log1p(-q) - std::log1p(q);
}

/// Sums over k = 1, 2, ... of exp(-b k^2) and of k^2 exp(-b k^2), to the last digits of a double. `rest` is
/// what rounding took from b: where b is large it would show. @pre b >= 1/2, so that at most ten terms count.
struct ThetaSums {
  double zeroth = 0;
  double second = 0;
  explicit ThetaSums(double b, double rest = 0) {
    for (int k = 1;; ++k) {
      const double square = static_cast<double>(k) * k;
      const double term = std::exp(-b * square) * (1 - rest * square);
      zeroth += term;
      second += square * term;
      if (term == 0 || square * term < 1e-18 * second) return;
    }
  }
};

ThetaSums direct_sums(double sigma2) {
  const double b = 0.5 / sigma2;
  return ThetaSums(b, std::fma(-b, sigma2, 0.5) / sigma2);
}

/// Below this the sum over the integers converges at once; above, its Poisson dual does:
/// sum_k exp(-k^2 / (2 s)) = sqrt(2 pi s) sum_m exp(-2 pi^2 s m^2).
constexpr double kDualFrom = 1;
constexpr double kPi = std::numbers::pi;

/// Least integer r >= 0 with good(r), for a `good` that stays true once it is.
template <class Predicate>
double least_integer(const Predicate& good) {
  if (good(0.0)) return 0;
  double high = 1;
  while (!good(high)) high *= 2;
  double low = high / 2;
  while (high - low > 1) {
    const double middle = std::floor(low + (high - low) / 2);
    if (middle <= low || middle >= high) break;  // past 2^53 neighbours are more than 1 apart
    (good(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

DiscreteLaplace::DiscreteLaplace(double lambda)
    : lambda_(checked_parameter(lambda)), log_norm_(log_tanh_half(lambda)) {}

double DiscreteLaplace::log_pmf(double k) const { return log_norm_ - lambda_ * std::abs(k); }

double DiscreteLaplace::variance() const {
  const double one_minus_q = -std::expm1(-lambda_);
  return 2 * std::exp(-lambda_) / (one_minus_q * one_minus_q);
}

double DiscreteLaplace::radius(double log_odds) const {
  // P(|K| > r) = 2 q^(r+1) / (1 + q).
  const double log_scale = std::log(2.0) - std::log1p(std::exp(-lambda_));
  return least_integer([&](double r) { return log_scale - lambda_ * (r + 1) <= -log_odds; });
}

Int128 DiscreteLaplace::simulate(Rng& rng) const {
  // The difference of two geometric variables; floor(E / lambda) is geometric with ratio e^-lambda.
  const double up = std::floor(draw_exponential(rng) / lambda_);
  const double down = std::floor(draw_exponential(rng) / lambda_);
  return static_cast<Int128>(up) - static_cast<Int128>(down);
}

DiscreteGaussian::DiscreteGaussian(double sigma2) : sigma2_(checked_parameter(sigma2)), log_norm_(0) {
  if (sigma2_ < kDualFrom) {
    log_norm_ = -std::log1p(2 * direct_sums(sigma2_).zeroth);
  } else {
    log_norm_ =
        -0.5 * std::log(2 * kPi * sigma2_) - std::log1p(2 * ThetaSums(2 * kPi * kPi * sigma2_).zeroth);
  }
}

double DiscreteGaussian::log_pmf(double k) const { return log_norm_ - k * k / (2 * sigma2_); }

double DiscreteGaussian::variance() const {
  if (sigma2_ < kDualFrom) {
    const ThetaSums sums = direct_sums(sigma2_);
    return 2 * sums.second / (1 + 2 * sums.zeroth);
  }
  // -d log Z / d(1 / (2 sigma2)) of the dual form.
  const ThetaSums sums(2 * kPi * kPi * sigma2_);
  const double dent = 4 * kPi * kPi * sigma2_ * 2 * sums.second / (1 + 2 * sums.zeroth);
  return sigma2_ * (1 - dent);
}

double DiscreteGaussian::radius(double log_odds) const {
  // With k = r+1: P(|K| > r) <= 2 P(k) sum_j exp(-j k / sigma2), since (k+j)^2 >= k^2 + 2jk.
  return least_integer([&](double r) {
    const double k = r + 1;
    const double log_geometric = -std::log(-std::expm1(-k / sigma2_));
    return std::log(2.0) + log_pmf(k) + log_geometric <= -log_odds;
  });
}

Int128 DiscreteGaussian::simulate(Rng& rng) const {
  // Canonne, Kamath, Steinke 2020, Algorithm 3, in floating point.
  const double t = std::floor(std::sqrt(sigma2_)) + 1;
  const DiscreteLaplace proposal(1 / t);
  for (;;) {
    const Int128 y = proposal.simulate(rng);
    const double gap = std::abs(static_cast<double>(y)) - sigma2_ / t;
    if (draw_exponential(rng) >= gap * gap / (2 * sigma2_)) return y;
  }
}

Laplace::Laplace(double scale) : scale_(checked_parameter(scale)) {}

double Laplace::log_pmf(double x) const { return -std::abs(x) / scale_ - std::log(2 * scale_); }

double Laplace::radius(double log_odds) const { return std::max(0.0, log_odds) * scale_; }

Int128 Laplace::simulate(Rng& rng) const {
  const double up = draw_exponential(rng);
  return static_cast<Int128>(std::round(scale_ * (up - draw_exponential(rng))));
}

Gaussian::Gaussian(double sigma2) : sigma2_(checked_parameter(sigma2)) {}

double Gaussian::log_pmf(double x) const {
  return -x * x / (2 * sigma2_) - 0.5 * std::log(2 * kPi * sigma2_);
}

double Gaussian::radius(double log_odds) const {
  // P(|X| > r) <= exp(-r^2 / (2 sigma2)).
  return std::sqrt(2 * sigma2_ * std::max(0.0, log_odds));
}

Int128 Gaussian::simulate(Rng& rng) const {
  return static_cast<Int128>(std::round(std::sqrt(sigma2_) * draw_normal(rng)));
}

namespace {

NoiseShape shape_of(const DiscreteLaplace& law) { return {law.lambda(), 0}; }
NoiseShape shape_of(const DiscreteGaussian& law) { return {0, 1 / law.sigma2()}; }
NoiseShape shape_of(const Laplace& law) { return {1 / law.scale(), 0}; }
NoiseShape shape_of(const Gaussian& law) { return {0, 1 / law.sigma2()}; }

}  // namespace

NoiseShape shape(const NoiseLaw& law) {
  return std::visit([](const auto& l) { return shape_of(l); }, law);
}

bool is_discrete(const NoiseLaw& law) {
  return std::holds_alternative<DiscreteLaplace>(law) || std::holds_alternative<DiscreteGaussian>(law);
}

NoiseLaw noise_law(const model::Noise& noise) {
  const double parameter = noise.parameter.get_d();
  if (noise.kind == model::NoiseKind::exponential)
    throw Error(ErrorCode::internal, {"a choice among candidates adds no noise"});
  if (noise.kind == model::NoiseKind::discrete_laplace) return DiscreteLaplace(parameter);
  return DiscreteGaussian(parameter);
}

std::optional<double> noise_sd(const model::Noise& noise) {
  if (noise.kind == model::NoiseKind::exponential) return std::nullopt;
  return std::sqrt(variance(noise_law(noise)));
}

double log_pmf(const NoiseLaw& law, double k) {
  return std::visit([k](const auto& l) { return l.log_pmf(k); }, law);
}
double variance(const NoiseLaw& law) {
  return std::visit([](const auto& l) { return l.variance(); }, law);
}
double radius(const NoiseLaw& law, double log_odds) {
  return std::visit([log_odds](const auto& l) { return l.radius(log_odds); }, law);
}
Int128 simulate(const NoiseLaw& law, Rng& rng) {
  return std::visit([&rng](const auto& l) { return l.simulate(rng); }, law);
}

}  // namespace postern::release
