#include "postern/release/noise_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace postern::release {
namespace {

/// log E exp(t K), 0 <= t < lambda: -log(1 - (sinh(t/2) / sinh(lambda/2))^2).
double log_mgf(const DiscreteLaplace& law, double t) {
  const double ratio = std::exp((t - law.lambda()) / 2) * (std::expm1(-t) / std::expm1(-law.lambda()));
  return -std::log1p(-ratio * ratio);
}
/// A bound on it: the discrete Gaussian is no wider than the continuous one (Canonne, Kamath, Steinke 2020).
double log_mgf(const DiscreteGaussian& law, double t) { return law.sigma2() * t * t / 2; }
double log_mgf(const Laplace& law, double t) { return -std::log1p(-law.scale() * t * law.scale() * t); }
double log_mgf(const Gaussian& law, double t) { return law.sigma2() * t * t / 2; }

/// log P(K >= x) of one noise, or a bound. @pre x >= 1, whole
double log_tail_of(const DiscreteLaplace& law, double x) {
  return -law.lambda() * x - std::log1p(std::exp(-law.lambda()));
}
double log_tail_of(const DiscreteGaussian& law, double x) {
  // P(x + j) <= P(x) exp(-j x / sigma2), since (x + j)^2 >= x^2 + 2 j x.
  const double geometric = law.log_pmf(x) - std::log(-std::expm1(-x / law.sigma2()));
  return std::min(geometric, -x * x / (2 * law.sigma2()));
}

double log_tail_of(const Laplace& law, double x) { return -x / law.scale() - std::numbers::ln2; }
double log_tail_of(const Gaussian& law, double x) { return -x * x / (2 * law.sigma2()); }

}  // namespace

void NoiseSum::add(const NoiseLaw& law, double times) {
  terms_.push_back({law, times, 1});
  whole_ = whole_ && is_discrete(law);
}

void NoiseSum::add(const NoiseSum& other, double weight) {
  for (const Term& term : other.terms_) terms_.push_back({term.law, term.times, weight * term.weight});
  whole_ = whole_ && other.whole_ && weight == 1;
}

double NoiseSum::variance() const {
  double sum = 0;
  for (const Term& term : terms_) sum += term.times * term.weight * term.weight * release::variance(term.law);
  return sum;
}

double NoiseSum::chernoff(double x) const {
  // P(sum w_i K_i >= x) <= exp(-t x) prod E exp(t w_i K_i) for every t > 0 (Markov, and independence). Any t
  // gives a bound, so how well it is chosen is not a matter of correctness.
  double most = HUGE_VAL;
  double sigma2 = 0;
  for (const Term& term : terms_) {
    const NoiseShape falls = shape(term.law);
    if (falls.rate > 0) {
      most = std::min(most, falls.rate / term.weight);
    } else {
      sigma2 += term.times * term.weight * term.weight / falls.precision;
    }
  }
  if (most == HUGE_VAL) return -x * x / (2 * sigma2);
  const auto bound = [&](double t) {
    double sum = -t * x;
    for (const Term& term : terms_) {
      const double own = t * term.weight;
      sum += term.times * std::visit([own](const auto& law) { return log_mgf(law, own); }, term.law);
    }
    return sum;
  };
  constexpr int kSteps = 40;
  const double golden = std::numbers::phi - 1;
  double low = 0;
  double high = most;
  double left = high - golden * (high - low);
  double right = low + golden * (high - low);
  double at_left = bound(left);
  double at_right = bound(right);
  for (int step = 0; step < kSteps; ++step) {
    if (at_left < at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = bound(left);
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = bound(right);
    }
  }
  return std::min({0.0, at_left, at_right});
}

double NoiseSum::log_tail(double x) const {
  if (!(x > 0)) return 0;
  if (terms_.empty()) return -HUGE_VAL;
  const double from = whole_ ? std::ceil(x) : x;
  if (terms_.size() == 1 && terms_.front().times == 1 && terms_.front().weight == 1)
    return std::visit([from](const auto& law) { return log_tail_of(law, from); }, terms_.front().law);
  return chernoff(from);
}

double NoiseSum::radius(double log_odds) const {
  // P(|sum| > r) <= 2 P(sum >= r), and = 2 P(sum >= r + 1) of whole numbers.
  const double next = whole_ ? 1 : 0;
  const auto beyond = [&](double r) { return std::numbers::ln2 + log_tail(r + next) <= -log_odds; };
  if (beyond(0)) return 0;
  double high = 1;
  while (!beyond(high)) high *= 2;
  double low = high / 2;
  while (high - low > std::max(1.0, 1e-3 * high)) {
    const double middle = std::floor(low + (high - low) / 2);
    (beyond(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace postern::release
