#pragma once

#include <cstdint>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"

namespace postern::infer {

/// The integers that a sum of n records can come to: n * base + step * s, s = 0, 1, ... A record adds
/// base + step * k with a k that counts from 0.
struct SumLattice {
  double base = 0;
  double step = 1;
  double last = 0;  ///< what the highest level adds
};

/// What the levels add, as multiples of the widest step that fits all.
[[nodiscard]] SumLattice sum_lattice(const model::EncodedNumber& number);

/// What all noisy values of one sum say about it: log w(s), concave in s, but for a constant
/// (noise_constant). Values with Laplace noise are kinks, values with Gaussian noise together are one
/// parabola.
struct SumNoise {
  struct Kink {  // e^{-rate |at - s|}
    double at = 0;
    double rate = 0;
  };
  std::vector<Kink> kinks;  ///< sorted by place
  double precision = 0;     ///< of the values with Gaussian noise
  double centre = 0;        ///< their weighted mean
  double anchor = 0;        ///< where the parabola is 0: a sum that is possible, the centre may be far off
  double log_norm = 0;

  [[nodiscard]] double log_at(double s) const;
  struct Slopes {
    double left = 0;
    double right = 0;
  };
  /// d log w / ds on either side of s.
  [[nodiscard]] Slopes slopes(double s) const;
  /// log w(s) - log w(from), without cancellation.
  [[nodiscard]] double log_ratio(double s, double from) const;
  /// An upper bound of log w on lo..hi.
  [[nodiscard]] double highest(double lo, double hi) const;
};

/// What is left out of the noise: how far each noisy value is from anything that it can be a noisy value of.
/// Values of 1e15 thus cost no digits.
[[nodiscard]] double noise_constant(const NumberProblem& problem);
/// The noise of the sum, and of the mirrored sum, of n records.
[[nodiscard]] SumNoise sum_noise(const NumberProblem& problem, const SumLattice& lattice, std::int64_t n);
/// The noise of n itself.
[[nodiscard]] SumNoise count_noise(const NumberProblem& problem);

}  // namespace postern::infer
