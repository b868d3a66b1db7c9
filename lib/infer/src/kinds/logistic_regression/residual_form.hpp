#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cholesky.hpp"

namespace postern::infer {

/// r' S^-1 r for residuals of gradients, r = base + k slope - n A shift: n = n0 + k records, and A repeats
/// one vector, by which the expected gradient moves with the coefficients, in every gradient. Once made for a
/// covariance S it costs as many products as that vector has squares, whatever the number of gradients.
class ResidualForm {
 public:
  ResidualForm() = default;
  explicit ResidualForm(std::size_t size)
      : size_(size), shift_base_(size), shift_slope_(size), shift_(size * size) {}

  /// Adds coordinates that are independent of all others: coordinate i of the factor is places[i] of base and
  /// slope, and moves with shift[places[i] % size].
  void add(const Cholesky& factor, std::span<const std::size_t> places, std::span<const double> base,
           std::span<const double> slope);
  [[nodiscard]] double at(double n, double more, std::span<const double> shift) const;

 private:
  std::size_t size_ = 0;
  double base_ = 0;
  double base_slope_ = 0;
  double slope_ = 0;
  std::vector<double> shift_base_;
  std::vector<double> shift_slope_;
  std::vector<double> shift_;
};

}  // namespace postern::infer
