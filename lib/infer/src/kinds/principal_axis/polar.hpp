#pragma once

#include <array>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// n records whose sums of squares along their own axes are `most` and `least`, the first at `angle`.
struct AxisSums {
  double n = 0;
  double most = 0;
  double least = 0;
  double angle = 0;
};

/// The posterior of theta given records from Normal(0, theta theta' + sigma^2 I) that were not rounded:
/// length on a grid where it is likely, direction exactly; with one draw in fifty from the prior.
class PolarPosterior {
 public:
  PolarPosterior(const AxisSums& sums, double sigma, double spread);
  [[nodiscard]] std::array<double, 2> draw(Rng& rng) const;
  /// Log density in the plane.
  [[nodiscard]] double log_density(double theta_1, double theta_2) const;

 private:
  [[nodiscard]] double gain(double length) const;
  [[nodiscard]] double log_of_length(double length) const;

  AxisSums sums_;
  double sigma2_;
  double spread_;
  double lo_ = 0;
  double step_ = 1;
  std::vector<double> cumulative_;
};

}  // namespace postern::infer
