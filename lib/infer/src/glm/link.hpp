#pragma once

#include "mean_function.hpp"

namespace postern::infer {

/// The predictor's mean at which y has this mean, if all records had it; between -8 and 12.
[[nodiscard]] inline double link(const MeanFunction& function, double mean) {
  double low = -8;
  double high = 12;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (function.at(middle).mean < mean ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace postern::infer
