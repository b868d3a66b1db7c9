#pragma once

#include <cmath>

namespace postern::assess {

/// psi(x), x > 0, to about 1e-15 of max(1, |psi|): recurrence up to 12, then the asymptotic series.
inline double digamma(double x) {
  double shift = 0;
  for (; x < 12; ++x) shift -= 1 / x;
  const double v = 1 / (x * x);
  const double series =
      v *
      (1.0 / 12 -
       v * (1.0 / 120 - v * (1.0 / 252 - v * (1.0 / 240 - v * (1.0 / 132 - v * (691.0 / 32760 - v / 12))))));
  return shift + std::log(x) - 0.5 / x - series;
}

}  // namespace postern::assess
