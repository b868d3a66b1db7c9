#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"
#include "postern/infer/noise/band_likelihood.hpp"

namespace postern::infer {

/// What n records add up to, in the integers of the encoding: whole numbers, exact below 2^53.
struct Totals {
  double n = 0;
  double sum = 0;      ///< of k
  double squares = 0;  ///< of k^2
  double inside = 0;   ///< records that are surely inside of the column's range; kept only where it is seen
};

/// What all noisy values of one latent sum s in low..high say about it, as differences of logarithms, so that
/// nothing large is subtracted from something large, also when a released value is 1e15.
class SumEvidence {
 public:
  struct Kink {  // e^{-rate |at - s|}
    double at = 0;
    double rate = 0;
  };

  SumEvidence() = default;
  /// Values with Laplace noise outside low..high are moved to the nearer end: only a constant changes.
  SumEvidence(std::span<const NoisyValue> noisy_values, double low, double high);

  /// log prod_j P(noise_j = y_j - to) / P(noise_j = y_j - from)
  [[nodiscard]] double log_ratio(double to, double from) const {
    double sum = -0.5 * curvature_ * (to - from) * ((to - centre_) + (from - centre_));
    for (const Kink& kink : kinks_) sum -= kink.rate * (std::abs(kink.at - to) - std::abs(kink.at - from));
    for (const BandLikelihood& band : bands_) sum += band.log_ratio(to, from);
    return sum;
  }
  /// At least as large as log_ratio(s, from) for every s.
  [[nodiscard]] double max_log_gain(double from) const {
    double sum = 0.5 * curvature_ * (from - centre_) * (from - centre_);
    for (const Kink& kink : kinks_) sum += kink.rate * std::abs(kink.at - from);
    for (const BandLikelihood& band : bands_) sum -= band.log_at(from);  // a probability is at most 1
    return sum;
  }
  [[nodiscard]] bool seen() const { return curvature_ > 0 || !kinks_.empty() || !bands_.empty(); }
  /// One value with Laplace noise and nothing else.
  [[nodiscard]] bool one_kink() const { return kinks_.size() == 1 && curvature_ == 0 && bands_.empty(); }
  [[nodiscard]] const std::vector<Kink>& kinks() const { return kinks_; }

 private:
  std::vector<Kink> kinks_;
  double curvature_ = 0;               ///< sum of 1 / sigma^2 of the values with Gaussian noise
  double centre_ = 0;                  ///< their precision-weighted mean
  std::vector<BandLikelihood> bands_;  ///< values of which only a band is known
};

/// All noisy values of a NumberProblem together.
class TotalsNoise {
 public:
  /// `most`: the largest n that can be.
  TotalsNoise(const NumberProblem& problem, double most);

  [[nodiscard]] double log_ratio(const Totals& to, const Totals& from) const {
    double sum = sums_.log_ratio(to.sum, from.sum);
    if (squares_seen_) sum += squares_.log_ratio(to.squares, from.squares);
    if (mirrored_seen_) sum += mirrored_.log_ratio(mirrored(to), mirrored(from));
    if (inside_seen_) sum += inside_.log_ratio(to.inside, from.inside);
    if (to.n != from.n) sum += counts_.log_ratio(to.n, from.n);
    return sum;
  }
  /// At least as large as log_ratio of any totals with this n.
  [[nodiscard]] double max_log_gain(double n, const Totals& from) const {
    return sums_.max_log_gain(from.sum) + squares_.max_log_gain(from.squares) +
           mirrored_.max_log_gain(mirrored(from)) + inside_.max_log_gain(from.inside) +
           counts_.log_ratio(n, from.n);
  }
  /// The sum of k is seen once, through Laplace noise, and nothing else is seen as long as n stays.
  [[nodiscard]] bool one_kink() const {
    return sums_.one_kink() && !squares_seen_ && !mirrored_seen_ && !inside_seen_;
  }
  [[nodiscard]] bool inside_seen() const { return inside_seen_; }
  [[nodiscard]] const SumEvidence& sums() const { return sums_; }

 private:
  [[nodiscard]] double mirrored(const Totals& totals) const { return totals.n * last_ - totals.sum; }

  SumEvidence sums_, squares_, mirrored_, counts_, inside_;
  double last_;  ///< what the last level adds
  bool squares_seen_ = false;
  bool mirrored_seen_ = false;
  bool inside_seen_ = false;
};

}  // namespace postern::infer
