#pragma once

#include <cstddef>
#include <vector>

#include "postern/model/rounds.hpp"

#include "honest_case.hpp"

namespace postern::honesty {

/// A released table of counts: what its noisy values say of shares by themselves, without any prior.
class SeenTable {
 public:
  /// `records`: how many there are. Where n is private shares are those of the table's own noisy total.
  SeenTable(const model::MeasuredBlock& block, std::size_t records, bool private_n);

  /// The fact that so large a share of the population is in some cells: its size, its unit and, where that is
  /// valid, the interval of the unbiased sum.
  [[nodiscard]] Fact share(double truth, const std::vector<std::size_t>& cells, const Ends& ends) const;
  /// The same of a share among those that are in other cells; the unbiased sum has no interval of it.
  [[nodiscard]] Fact conditional(double truth, double given, const std::vector<std::size_t>& cells,
                                 const Ends& ends) const;
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double total_variance() const { return sd_ * sd_ * static_cast<double>(noisy_.size()); }

 private:
  [[nodiscard]] double deviation(double share, std::size_t cells) const;

  std::vector<double> noisy_;
  double sd_ = 1;  ///< of one cell's noise
  double records_ = 0;
  double total_ = 0;  ///< by which noisy values are divided
  bool private_n_ = false;
};

/// The fact of n, and what the totals of tables say of it together, by their precisions.
[[nodiscard]] Fact total_fact(const std::vector<SeenTable>& tables, std::size_t records, const Ends& ends);

}  // namespace postern::honesty
