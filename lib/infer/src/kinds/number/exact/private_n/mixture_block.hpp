#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kinds/number/exact/record/tilted_record.hpp"
#include "kinds/number/exact/sum/characteristic_function.hpp"
#include "power_series.hpp"
#include "total_table.hpp"

namespace postern::infer {

/// What sums of n records say for all n of a block lo..hi at once. With the weight of n as the coefficients
/// of W(z) = sum_n weight(n) z^n and G the transform of the noise, on the frequencies of a period that holds
/// the sums of all these n,
///
///   sum_n weight(n) E g(S_n) = 1/P sum_j G(u_j) W(phi(u_j)).
class MixtureBlock {
 public:
  /// Numbers from lo >= 1 on; `near` is the one from which the rest are seen. Nodes count from what no record
  /// adds, so that `noise` is the same for every n. Frequencies are left out that add less than e^-nats.
  MixtureBlock(const RecordNodes& nodes, const TiltedRecord& tilted, const CountWeight& weight,
               const SumNoise& noise, double lo, double hi, double near, double nats);

  [[nodiscard]] double lo() const { return lo_; }
  [[nodiscard]] double hi() const { return hi_; }
  /// Whether the work was little enough to be done.
  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] double log_sum() const { return log_sum_; }
  /// log of the sum of the terms' sizes: rounding is about 1e-15 of that.
  [[nodiscard]] double log_sizes() const { return log_sizes_; }
  /// log weight(n) E g(S_n) at places from, from + step, ..., which need not be whole. Rounding may hide what
  /// is far below log_sizes.
  void log_terms(double from, double step, std::span<double> out) const;

 private:
  void add_up(const PowerSeries& series);
  [[nodiscard]] ComplexPower power(std::size_t j) const;

  double lo_, hi_, near_, mean_;
  CharacteristicFunction characteristic_;
  bool usable_;
  std::optional<TiltedNoise> numbers_;
  Spectrum spectrum_;  ///< of g, twice what stands for two frequencies
  double log_scale_ = 0;
  double log_sum_ = 0;
  double log_sizes_ = 0;
};

}  // namespace postern::infer
