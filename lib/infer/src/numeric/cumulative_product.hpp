#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace postern::infer {

/// Weights k = 1..count steps away from one that is 1, each given to put(k, weight):
///
///   weight = e^{log_rest(k)} ratio(1) ... ratio(k)
///
/// Blocks start from logarithms, which a compensated sum keeps; inside one the weights are products, with one
/// factor for the rest where that is a line. So a relative error stays near 1e-15 times the logarithm,
/// however many steps, and few of them need a logarithm. @pre log_rest is concave, or a line
template <class Ratio, class LogRest, class Put>
void each_cumulative_product(std::int64_t count, const Ratio& ratio, const LogRest& log_rest, Put put) {
  constexpr std::int64_t kBlock = 16;        // ratios of up to 1e15 still fit
  constexpr std::int64_t kGentleBlock = 32;  // where they are near 1
  double log_product = 0;
  double lost = 0;
  std::int64_t last = 0;
  while (last < count) {
    const std::int64_t first = last + 1;
    const bool gentle = std::abs(ratio(first) - 1) < 0.5;
    last = std::min(last + (gentle ? kGentleBlock : kBlock), count);
    const double at_first = log_rest(first);
    const double step = log_rest(first + 1) - at_first;
    const double span = static_cast<double>(last - first);
    const double bend = std::abs(log_rest(last) - at_first - span * step);
    const bool line = bend <= 2.5e-16 * (1 + span) * (1 + std::abs(at_first));
    const double factor = std::exp(step);
    const double before = std::exp(log_product + at_first);
    double rest = 1;
    double product = 1;
    for (std::int64_t k = first; k <= last; ++k) {
      product *= ratio(k);
      put(k, line ? before * (rest * product) : std::exp(log_product + log_rest(k)) * product);
      rest *= factor;
    }
    const double next = std::log(product) - lost;
    const double sum = log_product + next;
    lost = (sum - log_product) - next;
    log_product = sum;
  }
}

}  // namespace postern::infer
