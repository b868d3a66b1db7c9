#pragma once

#include <vector>

#include "postern/release/noise_law.hpp"

namespace postern::release {

/// The weighted sum of independent noises, each symmetric about 0: how far it may be from 0.
class NoiseSum {
 public:
  NoiseSum() = default;
  explicit NoiseSum(const NoiseLaw& law, double times = 1) { add(law, times); }
  /// `times` more noises of this law.
  void add(const NoiseLaw& law, double times = 1);
  /// `weight` times another sum, independent of this one. @pre weight > 0
  void add(const NoiseSum& other, double weight);

  [[nodiscard]] double variance() const;
  /// An upper bound on log P(sum >= x). For one noise exact (Laplace) or within a few per cent of the tail
  /// (Gaussian, beyond three deviations); for several, weighted or not, Chernoff's bound. 0 where
  /// x <= 0.
  [[nodiscard]] double log_tail(double x) const;
  /// An r with P(|sum| > r) <= e^-log_odds.
  [[nodiscard]] double radius(double log_odds) const;

 private:
  struct Term {
    NoiseLaw law;
    double times;
    double weight;  ///< of each of them
  };
  [[nodiscard]] double chernoff(double x) const;

  std::vector<Term> terms_;
  bool whole_ = true;  ///< the sum is a whole number, as no weight is other than 1
};

}  // namespace postern::release
