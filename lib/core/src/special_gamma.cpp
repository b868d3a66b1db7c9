#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "stirling.hpp"

// The incomplete gamma function is the limit of our incomplete beta function for one large shape, and is our
// own for the same reason; Boost's also takes milliseconds for a shape of 1e8.

namespace postern {
namespace {

/// log x^shape e^-x / Gamma(shape).
double log_prefactor(double shape, double x) {
  if (shape < kStirlingFrom) return shape * std::log(x) - x - log_gamma(shape);
  return 0.5 * std::log(shape) - kHalfLogTwoPi - stirling_error(shape) - deviance(shape, x);
}

/// b(0) + a(1)/(b(1) + a(2)/(b(2) + ...)) by Lentz's method.
template <class Top, class Bottom>
double continued_fraction(const Top& top, const Bottom& bottom) {
  double c = bottom(0.0);
  double d = 0;
  double value = c;
  for (int step = 1; step < 1'000'000; ++step) {
    const double n = step;
    d = 1 / (bottom(n) + top(n) * d);
    c = bottom(n) + top(n) / c;
    value *= c * d;
    if (std::abs(c * d - 1) < 2e-16) break;
  }
  return value;
}

/// P(G < x), for x up to shape + 1: Didonato & Morris 1992, eq. 9, with x/b for x and b without bound.
double lower_tail(double shape, double x) {
  const auto top = [=](double n) {
    const double odd = shape + 2 * n - 1;
    return (shape + n - 1) / odd * (n / odd) * x * x;
  };
  const auto bottom = [=](double n) {
    const double odd = shape + 2 * n - 1;
    const double middle = n == 0 ? 0 : n * x / odd;
    return n + middle + (shape + n) / (odd + 2) * (shape - x + 1 + 2 * n);
  };
  return std::exp(log_prefactor(shape, x)) / continued_fraction(top, bottom);
}

/// P(G >= x), for x from shape + 1 on: Legendre's fraction (DLMF 8.9.2).
double upper_tail(double shape, double x) {
  const auto top = [=](double n) { return n * (shape - n); };
  const auto bottom = [=](double n) { return x - shape + 1 + 2 * n; };
  return std::exp(log_prefactor(shape, x)) / continued_fraction(top, bottom);
}

}  // namespace

double gamma_cdf(double shape, double x) {
  if (!(x > 0)) return 0;
  return x < shape + 1 ? std::min(1.0, lower_tail(shape, x)) : 1 - upper_tail(shape, x);
}

double gamma_tail(double shape, double x) {
  if (!(x > 0)) return 1;
  return x < shape + 1 ? std::max(0.0, 1 - lower_tail(shape, x)) : upper_tail(shape, x);
}

double chi_square_tail(double statistic, double degrees) { return gamma_tail(degrees / 2, statistic / 2); }

double poisson_log_pmf(double k, double mean) {
  if (k == 0) return -mean;
  return -kHalfLogTwoPi - 0.5 * std::log(k) - stirling_error(k) - deviance(k, mean);
}

}  // namespace postern
