#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/counts/learned_table.hpp"

#include "row.hpp"
#include "seen_count.hpp"

namespace postern::infer {

/// What does not change with the centres: the cells as they are seen, exact counts, grids.
struct TableFacts {
  /// `nats`: how far below their largest weights what is seen of the cells is followed. `least`: the share of
  /// a weight up to which parts of it may be left out.
  TableFacts(const LearnedTable& table, double nats, double least);

  std::vector<std::uint32_t> sizes;
  std::vector<SeenCount> cells;
  std::vector<std::vector<double>> known;  ///< by level: a node's children's exact counts; empty: none
  std::vector<std::vector<double>> grids;  ///< by level
  std::vector<double> guess;               ///< of each cell's count, for first plans
  std::vector<double> variance;            ///< of that
  std::int64_t at_most = 0;
  double least = 0;
  [[nodiscard]] std::size_t rows(std::size_t level) const;
};

/// Plans of all rows, by level.
struct TreePlan {
  std::vector<std::vector<LearnedRowPlan>> rows;
};
/// The totals that may matter, generously: where n is not taken from totals alone.
[[nodiscard]] Window rough_totals(const LearnedTable& table);
/// Rows whose sums are as noise shows them.
[[nodiscard]] TreePlan first_tree_plan(const TableFacts& facts);

/// The rows of a table, the first column's at the top: row r of level j splits its sum among the levels of
/// column j. Exact given centres and n.
class LearnedTree {
 public:
  /// The plan is completed. @pre facts and centres outlive the tree
  LearnedTree(const TableFacts& facts, const Centres& centres, TreePlan& plan, Window totals, int threads);

  [[nodiscard]] const LearnedRow& top() const { return levels_.front().front(); }
  /// A cell's window cut something off that carries weight.
  [[nodiscard]] bool cramped_cells() const;
  /// Widens the ranges of rows that did; false if there was none.
  bool widen(TreePlan& plan) const;
  /// Products that building it took, about.
  [[nodiscard]] double work() const;
  /// False if n has no weight.
  bool draw(LearnedDraw& out, Rng& rng) const;

 private:
  const TableFacts& facts_;
  const Centres& centres_;
  std::vector<std::vector<LearnedRow>> levels_;
};

/// Moves the rows of a plan to where they are likely to be with so many records in all.
void shift_plan(TreePlan& plan, std::int64_t n, std::int64_t at_most);

/// Plans rows where the posterior has them, for totals within a window, by draws from trees that are rebuilt
/// around what was drawn. Returns the last tree, whose top row has no weight where that fails.
[[nodiscard]] LearnedTree settled_tree(const TableFacts& facts, const Centres& centres, TreePlan& plan,
                                       Window totals, int threads, Rng& rng);

}  // namespace postern::infer
