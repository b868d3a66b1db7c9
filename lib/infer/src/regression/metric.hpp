#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "matrix.hpp"

namespace postern::infer {

/// Learns the covariance of a chain's draws, to move along.
class MetricLearning {
 public:
  explicit MetricLearning(std::size_t size) : mean_(size), apart_(size), scatter_(size) {}
  void learn(std::span<const double> q);
  /// Replaces a factor of the covariance so far by one of the mean of both, weighted by what was learnt.
  void improve(Matrix& factor) const;

 private:
  double count_ = 0;
  std::vector<double> mean_;
  std::vector<double> apart_;
  Matrix scatter_;  ///< lower triangle
};

}  // namespace postern::infer
