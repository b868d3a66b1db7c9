#include <algorithm>
#include <cmath>

#include "tree.hpp"

namespace postern::infer {
namespace {

constexpr double kLeastSum = 0.3;  ///< of a row, as a target

/// Moves targets until they add up to n: each by its share of the variance, but none below 0.
void share_difference(std::vector<LearnedRowPlan>& rows, double n) {
  constexpr int kMost = 30;
  for (int i = 0; i < kMost; ++i) {
    double left = n;
    for (const LearnedRowPlan& row : rows) left -= row.target;
    if (std::abs(left) < 1) return;
    const auto moves = [&](const LearnedRowPlan& row) { return left > 0 || row.target > kLeastSum; };
    double variance = 0;
    for (const LearnedRowPlan& row : rows) variance += moves(row) ? row.variance : 0;
    if (!(variance > 0)) return;
    for (LearnedRowPlan& row : rows) {
      if (moves(row)) row.target = std::max(kLeastSum, row.target + left * row.variance / variance);
    }
  }
}

}  // namespace

void shift_plan(TreePlan& plan, std::int64_t n, std::int64_t at_most) {
  for (std::size_t level = 1; level < plan.rows.size(); ++level) {
    const std::vector<LearnedRowPlan> before = plan.rows[level];
    share_difference(plan.rows[level], static_cast<double>(n));
    for (std::size_t r = 0; r < before.size(); ++r) {
      LearnedRowPlan& row = plan.rows[level][r];
      const double shift = row.target - before[r].target;
      // The range loses nothing on the side from which it moves.
      std::int64_t& end = shift > 0 ? row.range.hi : row.range.lo;
      end = std::clamp<std::int64_t>(end + std::llround(shift), 0, at_most);
      if (std::abs(shift) > std::sqrt(row.variance)) row.panels.clear();
    }
  }
}

}  // namespace postern::infer
