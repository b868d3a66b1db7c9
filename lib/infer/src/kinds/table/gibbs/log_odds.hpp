#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "postern/core/special.hpp"

namespace postern::infer {

/// log of 1 / (1 + e^-x), exact at both ends: the log probability of log odds x. That of the complement is
/// log_share(-x).
[[nodiscard]] inline double log_share(double x) {
  return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x));
}

/// Log odds of each of many weights, given by their logarithms, against all the others together, while the
/// weights change one by one. A sum that has lost its digits to cancellation is made again.
class LogOdds {
 public:
  explicit LogOdds(std::span<double> log_weight) : log_weight_(log_weight) { add_up(); }

  [[nodiscard]] double of(std::size_t k) const {
    const double others = sum_ - weight(k);
    if (others > 0.5 * sum_) return log_weight_[k] - top_ - std::log(others);
    return log_weight_[k] - log_sum_of_others(k);
  }
  /// Moves the odds of k by a factor e^change; the others keep their proportions.
  void shift(std::size_t k, double change) {
    const double before = weight(k);
    log_weight_[k] += change;
    if (before > 0.5 * sum_ || log_weight_[k] > top_ + 40) {
      add_up();
    } else {
      sum_ += weight(k) - before;
    }
  }

 private:
  [[nodiscard]] double weight(std::size_t k) const { return std::exp(log_weight_[k] - top_); }
  [[nodiscard]] double log_sum_of_others(std::size_t k) const {
    double top = kMinusInfinity;
    for (std::size_t j = 0; j < log_weight_.size(); ++j) top = j == k ? top : std::max(top, log_weight_[j]);
    if (top == kMinusInfinity) return top;
    double sum = 0;
    for (std::size_t j = 0; j < log_weight_.size(); ++j) sum += j == k ? 0 : std::exp(log_weight_[j] - top);
    return top + std::log(sum);
  }
  void add_up() {
    top_ = *std::max_element(log_weight_.begin(), log_weight_.end());
    sum_ = 0;
    for (std::size_t k = 0; k < log_weight_.size(); ++k) sum_ += weight(k);
  }

  std::span<double> log_weight_;
  double top_ = 0;
  double sum_ = 0;
};

}  // namespace postern::infer
