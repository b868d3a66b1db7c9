#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/infer/noise/band_likelihood.hpp"
#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// What all noisy values of one latent count s in 0..most say about it, up to a constant: log prod_j
/// P(noise_j = y_j - s) as differences, so that nothing large is subtracted from something large, also when a
/// released value is 1e15. Concave in s.
struct CellNoise {
  CellNoise(std::span<const NoisyValue> noisy_values, std::int64_t most);

  struct Kink {  // e^{-rate |at - s|}
    double at = 0;
    double rate = 0;
  };
  std::vector<Kink> kinks;  ///< values with Laplace noise, moved into [0, most]: only a constant changes
  double curvature = 0;     ///< sum of 1 / sigma^2 of the values with Gaussian noise
  double centre = 0;        ///< their precision-weighted mean
  std::vector<BandLikelihood> bands;  ///< values of which only a band is known

  double anchor = 0;      ///< a count in 0..most near the best
  double log_anchor = 0;  ///< log prod_j P(noise_j = y_j - anchor): may be -1e30, so it is kept apart
  [[nodiscard]] bool seen() const { return !kinks.empty() || curvature > 0 || !bands.empty(); }
  /// All but the Gaussian part at s relative to `from`.
  [[nodiscard]] double kinks_ratio(double s, double from) const {
    double sum = 0;
    for (const Kink& kink : kinks) sum -= kink.rate * (std::abs(kink.at - s) - std::abs(kink.at - from));
    for (const BandLikelihood& band : bands) sum += band.log_ratio(s, from);
    return sum;
  }
  /// The Gaussian part at s relative to `from`, around a centre.
  [[nodiscard]] double gaussian_ratio(double s, double from, double around) const {
    return -0.5 * curvature * (s - from) * (s - around + (from - around));
  }
  [[nodiscard]] double log_ratio(double s, double from) const {
    return kinks_ratio(s, from) + (curvature > 0 ? gaussian_ratio(s, from, centre) : 0);
  }
  /// log prod_j P(noise_j = y_j - s) less log_anchor.
  [[nodiscard]] double log_at(double s) const { return log_ratio(s, anchor); }
};

}  // namespace postern::infer
