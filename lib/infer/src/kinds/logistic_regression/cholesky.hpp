#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace postern::infer {

/// The lower Cholesky factor of a symmetric positive definite matrix, row-major, and what it is good for.
class Cholesky {
 public:
  Cholesky() = default;
  /// Diagonal entries that rounding has made too small are raised to a 1e-12th of the largest.
  Cholesky(std::vector<double> matrix, std::size_t size);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// x = L^-1 x, in place.
  void solve_lower(std::span<double> x) const;
  /// x = L^-T x, in place.
  void solve_upper(std::span<double> x) const;
  /// L x, in place.
  void multiply(std::span<double> x) const;

 private:
  std::size_t size_ = 0;
  std::vector<double> lower_;
};

}  // namespace postern::infer
