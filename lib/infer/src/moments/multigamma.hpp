#pragma once

#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {

/// The derivative of log_gamma. @pre x > 0
inline double digamma_of(double x) {
  constexpr double kFrom = 10;
  double sum = 0;
  for (; x < kFrom; x += 1) sum -= 1 / x;
  const double square = 1 / (x * x);
  const double series = square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square / 240)));
  return sum + std::log(x) - 0.5 / x - series;
}

/// log Gamma_d(x), without the power of pi.
inline double log_multigamma_of(double x, int d) {
  double sum = 0;
  for (int j = 0; j < d; ++j) sum += log_gamma(x - 0.5 * j);
  return sum;
}

/// Its derivative.
inline double multidigamma_of(double x, int d) {
  double sum = 0;
  for (int j = 0; j < d; ++j) sum += digamma_of(x - 0.5 * j);
  return sum;
}

}  // namespace postern::infer
