#pragma once

#include <vector>

#include "postern/infer/moments/problem.hpp"

#include "moments/unknowns.hpp"

namespace postern::infer {

/// The latent records and the public ones together, columns in the order of the factor. What a stated prior
/// is worth counts as if it had been seen.
class PooledMoments {
 public:
  PooledMoments(const ScatterProblem& problem, const ScatterOrder& order);
  /// n of both, means and scatter.
  struct Sums {
    double n = 0;
    DenseVector mean;
    DenseMatrix scatter;
  };
  void fill(const ScatterState& state, Sums& out) const;
  [[nodiscard]] double public_records() const { return records_; }
  /// From slopes in the pooled scatter, which stand in slope.scatter, to those in means and n.
  void take_back(const ScatterState& state, ScatterSlope& slope) const;

 private:
  void take_stated(const ScatterProblem& problem, const ScatterOrder& order);
  double records_ = 0;
  DenseVector mean_;
  DenseMatrix scatter_;
};

}  // namespace postern::infer
