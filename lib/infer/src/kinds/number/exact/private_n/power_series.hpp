#pragma once

#include <complex>
#include <vector>

#include "kinds/number/exact/sum/noise_transform.hpp"

namespace postern::infer {

/// phi^n e^{i turn (n - from)}, given log |phi| and the angle of phi.
struct ComplexPower {
  double log_size = 0;
  double angle = 0;
  double turn = 0;
  double from = 0;

  [[nodiscard]] std::complex<double> at(double n) const {
    return std::polar(std::exp(n * log_size), n * angle + (n - from) * turn);
  }
};

/// Sums over n = lo..hi of g(n) times a power, for many powers. Values with Laplace noise alone are geometric
/// series in closed form; with a value with Gaussian noise the numbers are listed.
class PowerSeries {
 public:
  explicit PowerSeries(const TiltedNoise& g);

  /// Numbers that one power goes through; none where the series has a closed form.
  [[nodiscard]] double listed() const { return static_cast<double>(value_.size()); }
  [[nodiscard]] std::complex<double> sum(const ComplexPower& power) const;

 private:
  /// A stretch as a geometric series, (first z^first - past z^(last + 1)) / (keep - grow z): keep and grow
  /// are the ratio of g as a fraction with no part above 1.
  struct Part {
    Stretch stretch;
    double keep = 1;
    double grow = 1;
    double first = 0;
    double past = 0;
  };
  [[nodiscard]] std::complex<double> listed_sum(const ComplexPower& power, std::complex<double> step) const;

  std::vector<Part> parts_;  ///< each begins where the one before ends
  double first_ = 0;
  std::vector<double> value_;
};

}  // namespace postern::infer
