#include "stirling.hpp"

#include <cmath>

#include "postern/core/special.hpp"

namespace postern {
namespace {

// B_2k / (2k (2k - 1)), the coefficients of x^(1-2k) (DLMF 5.11.1).
constexpr double kSeries[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                              1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};

}  // namespace

double stirling_error(double x) {
  if (x < kStirlingFrom) return log_gamma(x) - ((x - 0.5) * std::log(x) - x + kHalfLogTwoPi);
  const double r = 1 / (x * x);
  double sum = 0;
  for (int k = 7; k >= 0; --k) sum = kSeries[k] + r * sum;
  return sum / x;
}

double stirling_error_step(double x, double s) {
  const double log_ratio = std::log1p(s / x);
  const double r = 1 / (x * x);
  double power = 1 / x;
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += kSeries[k] * power * std::expm1(-(2 * k + 1) * log_ratio);
    power *= r;
  }
  return sum;
}

double deviance(double x, double mean) {
  if (x == 0) return mean;
  const double difference = x - mean;
  if (std::abs(difference) > 0.1 * (x + mean)) return x * std::log(x / mean) - difference;
  // With v = (x - mean)/(x + mean), log(x/mean) = 2 atanh(v).
  const double v = difference / (x + mean);
  double power = 2 * x * v;
  double sum = difference * v;
  for (int j = 3; j < 100; j += 2) {
    power *= v * v;
    const double next = sum + power / j;
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

}  // namespace postern
