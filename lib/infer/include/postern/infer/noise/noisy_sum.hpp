#pragma once

#include <span>
#include <vector>

#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// What independent noisy values say about one sum s. Discrete noise is taken as its density at real s:
/// e^{-lambda |y - s|}, or a normal.
class NoisySum {
 public:
  NoisySum() = default;
  explicit NoisySum(std::span<const NoisyValue> noisy_values);

  [[nodiscard]] bool seen() const { return !kinks_.empty() || precision_ > 0; }
  /// One value for s from all noisy values, and the variance of its noise: infinite if there are none.
  [[nodiscard]] double centre() const;
  [[nodiscard]] double noise_variance() const;
  /// log prod_j p(y_j | s)
  [[nodiscard]] double log_density(double s) const;

 private:
  struct Placed {  ///< e^{-rate |at - s|}, or normal of precision `rate` about `at`
    double at = 0;
    double rate = 0;
  };

  std::vector<Placed> kinks_;  ///< values with Laplace noise, by place
  std::vector<Placed> normals_;
  double precision_ = 0;  ///< of the values with normal noise together
  double normal_centre_ = 0;
  double log_constant_ = 0;
};

}  // namespace postern::infer
