#include "postern/core/special.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include "stirling.hpp"

namespace postern {
namespace {

namespace bp = boost::math::policies;
// No exceptions, no errno, no long double: a value outside the domain gives NaN or an infinity.
using Quiet = bp::policy<bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
                         bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
                         bp::denorm_error<bp::ignore_error>, bp::evaluation_error<bp::ignore_error>,
                         bp::indeterminate_result_error<bp::ignore_error>, bp::promote_double<false>>;

}  // namespace

double log_gamma(double x) {
  if (x < kStirlingFrom) return boost::math::lgamma(x, Quiet());
  return (x - 0.5) * std::log(x) - x + kHalfLogTwoPi + stirling_error(x);
}

double log_rising(double x, double s) {
  if (!(x > 0 && x + s > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (s >= 0 && s <= 8 && s == std::floor(s) && x < 1e30) {
    double product = 1;
    for (int j = 0; j < static_cast<int>(s); ++j) product *= x + j;
    return std::log(product);
  }
  if (x < kStirlingFrom) {
    // Gamma(x) = Gamma(x + m) / (x)_m on both sides.
    double shifted = 0;
    while (x < kStirlingFrom) {
      shifted -= std::log1p(s / x);
      x += 1;
    }
    return shifted + log_rising(x, s);
  }
  if (x + s < kStirlingFrom) return -log_rising(x + s, -s);
  return (x - 0.5) * std::log1p(s / x) + s * (std::log(x + s) - 1) + stirling_error_step(x, s);
}

double log_factorial(double n) { return log_gamma(n + 1); }

double log_choose(double n, double k) {
  k = std::min(k, n - k);
  if (k < 0) return kMinusInfinity;
  return log_rising(n - k + 1, k) - log_factorial(k);
}

double log_beta(double a, double b) {
  if (a > b) std::swap(a, b);
  if (a < kStirlingFrom) return log_gamma(a) - log_rising(b, a);
  const double share = a / (a + b);
  return kHalfLogTwoPi - 0.5 * std::log(b) + (a - 0.5) * std::log(share) + b * std::log1p(-share) +
         stirling_error(a) - stirling_error_step(b, a);
}

double log_add_exp(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kMinusInfinity ? a : a + std::log1p(std::exp(b - a));
}

double log_sum_exp(std::span<const double> x) {
  if (x.empty()) return kMinusInfinity;
  const double top = *std::max_element(x.begin(), x.end());
  if (std::isinf(top)) return top;
  double sum = 0;
  for (const double value : x) sum += std::exp(value - top);
  return top + std::log(sum);
}

double log1m_exp(double x) {
  // Machler 2012: each branch keeps the digits the other loses.
  return x > -std::numbers::ln2 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_quantile(double p) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p, Quiet()); }

double kolmogorov_tail(double d, double n) {
  const double root = std::sqrt(n);
  const double t = (root + 0.12 + 0.11 / root) * d;  // Stephens 1970
  if (t < 0.2) return 1;
  double sum = 0;
  if (t < 1) {
    // The theta-function form, which converges where the alternating series does not.
    const double exponent = std::numbers::pi * std::numbers::pi / (8 * t * t);
    for (int k = 1; k <= 9; k += 2) sum += std::exp(-exponent * k * k);
    return 1 - std::sqrt(2 * std::numbers::pi) / t * sum;
  }
  for (int k = 1; k <= 5; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * t * t);
  return sum;
}

}  // namespace postern
