#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/counts/learned_table.hpp"

#include "row.hpp"
#include "seen_count.hpp"

namespace postern::infer {

/// n from the released totals alone: n ~ uniform on 0..at_most times P(noise of each total = y - n).
class CutTotal {
 public:
  explicit CutTotal(const LearnedTable& table);
  /// The least n whose share of the law reaches p.
  [[nodiscard]] std::int64_t quantile(double p) const;
  [[nodiscard]] std::int64_t draw(Rng& rng) const { return quantile(rng.uniform()); }
  [[nodiscard]] Window window() const { return {lo_, lo_ + static_cast<std::int64_t>(cdf_.size()) - 1}; }

 private:
  std::int64_t lo_ = 0;
  std::vector<double> cdf_;
};

/// One column's margin table under Dirichlet(1/2), and nothing else of the release.
class ColumnMargin {
 public:
  /// For n in a window.
  ColumnMargin(const LearnedTable& table, std::size_t column, Window totals);
  /// A centre: Dirichlet(1/2 + counts of the margin), the counts from its posterior given n, or of no known
  /// n.
  [[nodiscard]] std::vector<double> draw(std::optional<std::int64_t> n, Rng& rng) const;

 private:
  void build(std::uint32_t levels, Window totals);

  std::vector<SeenCount> counts_;
  std::vector<double> known_;
  std::vector<double> centre_;
  std::vector<double> grid_;
  LearnedRow row_;
  LearnedRowPlan plan_;
};

}  // namespace postern::infer
