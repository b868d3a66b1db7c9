#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "stirling.hpp"

// The incomplete beta function is our own: Boost's loses digits like the shapes times 1e-16 (2e-8 at 5e8),
// since its prefactor is a product of large powers. Ours is Loader's saddle point form, which does not.

namespace postern {
namespace {

/// log x given also y = 1 - x.
double log_of_pair(double x, double y) { return x < 0.5 ? std::log(x) : std::log1p(-y); }

/// log x^a y^b / B(a, b), with y = 1 - x given apart so that either may be tiny.
double log_prefactor(double a, double b, double x, double y) {
  if (std::min(a, b) < kStirlingFrom) return a * log_of_pair(x, y) + b * log_of_pair(y, x) - log_beta(a, b);
  const double n = a + b;
  return 0.5 * std::log(a / n * b) - kHalfLogTwoPi + stirling_error(n) - stirling_error(a) -
         stirling_error(b) - deviance(a, n * x) - deviance(b, n * y);
}

/// I_x(a, b) B(a, b) / (x^a y^b) by the continued fraction of Didonato & Morris 1992, eq. 9 (Lentz's method),
/// which takes x and y = 1 - x apart. Below the pivot it converges in about max(a, b)^(1/3) steps.
double fraction(double a, double b, double x, double y) {
  const double lambda = x < 0.5 ? a - (a + b) * x : (a + b) * y - b;
  double c = a / (a + 1) * (lambda + 1);
  double d = 0;
  double value = c;
  for (int step = 1; step < 1'000'000; ++step) {
    const double n = step;
    const double odd = a + 2 * n - 1;
    const double even = n * (b - n) * x;
    const double alpha = (a + n - 1) / odd * ((a + b + n - 1) / odd) * even * x;
    const double beta = n + even / odd + (a + n) / (odd + 2) * (lambda + 1 + n * (1 + y));
    d = 1 / (beta + alpha * d);
    c = beta + alpha / c;
    value *= c * d;
    if (std::abs(c * d - 1) < 2e-16) break;
  }
  return 1 / value;
}

/// Where the fraction for I_x(a, b) hands over to the one for its complement. A shape b < 1 piles up mass at
/// 1 and leaves I_x small far beyond the mean, where the complement would lose digits; there the fraction
/// still converges.
double pivot(double a, double b) {
  const double balanced = (a + 1) / (a + b + 2);
  return b < 1 ? std::max(balanced, 0.95) : balanced;
}

/// log I_x(a, b) for x up to the pivot.
double log_lower_tail(double a, double b, double x, double y) {
  return log_prefactor(a, b, x, y) + std::log(fraction(a, b, x, y));
}

/// The logit of the x where I_x(a, b) = p, for a p that is reached below the pivot. Beta variables have
/// log-concave logits, so log I is concave in t = logit x, and Newton's steps come from the left after the
/// first; the bracket is for the first.
double lower_quantile_logit(double a, double b, double p) {
  const double log_p = std::log(p);
  double low = -750;  // below the smallest double
  double high = std::log(pivot(a, b)) - std::log1p(-pivot(a, b));
  // For small x, I_x is near x^a / (a B(a, b)); for large shapes the logit is near normal.
  double t = std::min(a, b) < 1 ? (log_p + std::log(a) + log_beta(a, b)) / a
                                : std::log(a / b) + std::sqrt(1 / a + 1 / b) * normal_quantile(p);
  t = std::clamp(t, low, high);
  for (int step = 0; step < 200; ++step) {
    const double x = 1 / (1 + std::exp(-t));
    const double y = 1 / (1 + std::exp(t));
    if (x == 0) break;
    const double log_i = log_lower_tail(a, b, x, y);
    (log_i < log_p ? low : high) = t;
    const double slope = std::exp(log_prefactor(a, b, x, y) - log_i);
    double next = t - (log_i - log_p) / slope;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - t) <= 2.3e-16 * std::max(1.0, std::abs(t));
    t = next;
    if (done) break;
  }
  return t;
}

}  // namespace

double beta_log_density(double a, double b, double x) {
  if (!(x > 0 && x < 1)) return kMinusInfinity;
  return log_prefactor(a, b, x, 1 - x) - std::log(x) - std::log1p(-x);
}

double beta_cdf(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double y = 1 - x;
  if (x <= pivot(a, b)) return std::min(1.0, std::exp(log_lower_tail(a, b, x, y)));
  return std::max(0.0, -std::expm1(log_lower_tail(b, a, y, x)));
}

double beta_quantile(double a, double b, double p) {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const bool below = p <= beta_cdf(a, b, pivot(a, b));
  return 1 / (1 + std::exp(below ? -lower_quantile_logit(a, b, p) : lower_quantile_logit(b, a, 1 - p)));
}

double binomial_lower_limit(double successes, double trials, double alpha) {
  return successes <= 0 ? 0 : beta_quantile(successes, trials - successes + 1, alpha);
}

double binomial_upper_limit(double successes, double trials, double alpha) {
  if (successes >= trials) return 1;
  // 1 - beta_quantile(b, a, alpha), without losing a small limit or a small alpha.
  const double a = successes + 1;
  const double b = trials - successes;
  const bool above = alpha <= beta_cdf(b, a, pivot(b, a));
  return 1 /
         (1 + std::exp(above ? lower_quantile_logit(b, a, alpha) : -lower_quantile_logit(a, b, 1 - alpha)));
}

}  // namespace postern
