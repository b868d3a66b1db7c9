#pragma once

#include <vector>

#include "kinds/number/exact/record/tilted_record.hpp"
#include "kinds/number/exact/sum/characteristic_function.hpp"
#include "total_table.hpp"

namespace postern::infer {

/// What sums of n records say for each n of a block lo..hi, from the laws of the sums themselves: with one
/// transform of a record's law and one of the noise, another n costs a product and a scalar product. For few
/// records, whose law is not smooth enough for few frequencies. Exact on the integers where those are few,
/// else on points as in log_mean_lattice, which 0 is one of, so that all n have the same.
class LatticeBlock {
 public:
  /// Numbers from lo >= 1 on; `near` is the one from which the rest are seen. What is e^-42 of the tilted law
  /// is cut away, and kinks between points may add `error` to a logarithm. @pre nodes count from what no
  /// record adds; they are tilted to where the noise says sums are
  LatticeBlock(const RecordNodes& nodes, const TiltedRecord& tilted, const CountWeight& weight,
               const SumNoise& noise, double lo, double hi, double near, double error);

  /// Whether the sums are few enough.
  [[nodiscard]] bool usable() const { return usable_; }
  /// log weight(n) E w(S_n) for n = lo, lo + 1, ..., hi.
  [[nodiscard]] const std::vector<double>& log_values() const { return log_values_; }
  /// log of what rounding compares with, over all n.
  [[nodiscard]] double log_sizes() const { return log_sizes_; }

 private:
  bool usable_ = false;
  std::vector<double> log_values_;
  double log_sizes_ = 0;
};

}  // namespace postern::infer
