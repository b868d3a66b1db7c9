#pragma once

#include <cstddef>
#include <vector>

namespace postern::infer {

/// A law on the line from its density on an even grid: between grid points, polynomials through 24
/// neighbours. Where the density is no narrower than a normal law with a standard deviation of five steps,
/// they err by some 1e-14 of its largest value.
class EvenGridLaw {
 public:
  EvenGridLaw() = default;
  /// density[i] at (first + i) step, up to a factor; next to nothing at both ends.
  EvenGridLaw(std::ptrdiff_t first, double step, const std::vector<double>& density);

  [[nodiscard]] double cdf(double z) const;
  [[nodiscard]] double quantile(double p) const;

 private:
  [[nodiscard]] double place(std::size_t i) const {
    return step_ * static_cast<double>(first_ + static_cast<std::ptrdiff_t>(i));
  }
  [[nodiscard]] double invert_between(std::size_t left, double p) const;

  std::ptrdiff_t first_ = 0;
  double step_ = 1;
  std::vector<double> density_;  ///< with zeros beyond both ends, room for the neighbours of any point
  std::vector<double> cdf_;
};

}  // namespace postern::infer
