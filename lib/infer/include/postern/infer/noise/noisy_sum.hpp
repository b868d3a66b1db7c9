#pragma once

#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// What independent noisy values say about one sum s that is normal before it is seen. Discrete noise is
/// taken as its density at real s: e^{-lambda |y - s|}, or a normal. Everything is exact for that: between
/// the values released with Laplace noise p(s | y) is normal, so it is a mixture of truncated normals.
class NoisySum {
 public:
  NoisySum() = default;
  /// `mirrored` are noisy values of whole - s; see mirror_about.
  explicit NoisySum(std::span<const NoisyValue> direct, std::span<const NoisyValue> mirrored = {});
  /// Sets `whole`. No allocation. @pre before anything else is asked, if there are mirrored noisy values
  void mirror_about(double whole);

  [[nodiscard]] bool mirrors() const { return mirrored_; }
  [[nodiscard]] bool seen() const { return !kinks_.empty() || precision_ > 0; }
  /// One value for s from all noisy values, and the variance of its noise: infinite if there are none.
  [[nodiscard]] double centre() const;
  [[nodiscard]] double noise_variance() const;

  /// log prod_j p(y_j | s)
  [[nodiscard]] double log_density(double s) const;
  /// log of the integral of N(s; mean, variance) prod_j p(y_j | s): with one value with Laplace noise the
  /// normal-Laplace density. A variance of 0 puts s at the mean.
  [[nodiscard]] double log_likelihood(double mean, double variance) const;
  /// s ~ N(mean, variance) given the noisy values and lo <= s <= hi.
  [[nodiscard]] double draw(double mean, double variance, double lo, double hi, Rng& rng) const;

 private:
  struct Placed {  ///< e^{-rate |at - s|}, or normal of precision `rate` about `at`
    double at = 0;
    double rate = 0;
    double y = 0;
    bool mirrored = false;
  };
  struct Pieces;
  [[nodiscard]] double draw_two_pieces(double mean, double deviation, Rng& rng) const;

  std::vector<Placed> kinks_;  ///< values with Laplace noise, by place
  std::vector<Placed> normals_;
  bool mirrored_ = false;
  double precision_ = 0;  ///< of the values with normal noise together
  double normal_centre_ = 0;
  double scatter_ = 0;  ///< sum of precision (at - normal_centre)^2
  double log_constant_ = 0;
};

}  // namespace postern::infer
