#pragma once

#include <vector>

#include "sum_noise.hpp"

namespace postern::infer {

/// Values at the frequencies u_j = 2 pi j / period, j = 0, 1, ...
struct Spectrum {
  std::vector<double> re;
  std::vector<double> im;
};

/// g(s) = w(s) e^{-lambda s} on the integers lo..hi, relative to its highest value there and seen from s0.
struct TiltedNoise {
  TiltedNoise(const SumNoise& noise_of, double tilt, double from, double least, double most);

  const SumNoise& noise;
  double lambda = 0;
  double s0 = 0;
  double lo = 0;
  double hi = 0;
  double peak = 0;

  [[nodiscard]] double log_at(double s) const { return noise.log_ratio(s, peak) - lambda * (s - peak); }
  /// log w(s) e^{-lambda (s - s0)} at the peak.
  [[nodiscard]] double log_peak() const { return noise.log_at(peak) - lambda * (peak - s0); }
};

/// Integers between two kinks, where log g is a line, or a line and a parabola.
struct Stretch {
  double first = 0;
  double last = 0;
  double slope = 0;       ///< of the kinks, and minus lambda
  double anchor = 0;      ///< the higher end
  double log_anchor = 0;  ///< log g there

  /// log g on this stretch, also continued past its ends.
  [[nodiscard]] double log_at(double s, const SumNoise& noise) const {
    const double smooth =
        -0.5 * noise.precision * (s - anchor) * (s - noise.centre + (anchor - noise.centre));
    return log_anchor + slope * (s - anchor) + smooth;
  }
};
[[nodiscard]] std::vector<Stretch> stretches_of(const TiltedNoise& g);

/// sum over s = lo..hi of g(s) e^{-i u_j (s - s0)} for j < out.re.size(). Values with Laplace noise alone are
/// geometric series in closed form. With a value with Gaussian noise g is summed directly where it is narrow,
/// and integrated where it is wide: between kinks by Gauss-Legendre panels, with the first Euler-Maclaurin
/// correction at the kinks. `deviation` is that of S: u_j deviation stays below 10.
/// @pre hi - lo < period
void transform_noise(const TiltedNoise& g, double period, double deviation, Spectrum& out);

}  // namespace postern::infer
