#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "count_plan.hpp"
#include "counts/sum_tree.hpp"
#include "numeric/inverse_cdf.hpp"

namespace postern::infer {

/// The tree of sums of a table's cells, and the law of its total. Totals are counted in multiples of pitch(),
/// which all of them are.
class CountTree {
 public:
  CountTree(CountPlan plan, int threads);

  [[nodiscard]] const CountPlan& plan() const { return plan_; }
  [[nodiscard]] std::size_t cells() const { return plan_.cells.size(); }
  [[nodiscard]] const Message& leaf(std::size_t cell) const { return sums_.leaf(cell); }
  [[nodiscard]] std::int64_t pitch() const { return plan_.total.multiple(); }
  /// h(n) e^{-tilt (n - anchor)} / h(anchor) for n = pitch() k, on the window of the root.
  [[nodiscard]] const Message& total_weight() const { return total_weight_; }
  /// P(n = pitch() k | y) on the window of the root.
  [[nodiscard]] const Message& totals() const { return totals_; }
  /// Sum over totals of total_weight * root: 1 / mass is the factor between the product law and the
  /// posterior.
  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] double log_evidence() const { return log_evidence_; }
  /// Bound on the part of the posterior that transforms may have misplaced.
  [[nodiscard]] double transform_error() const { return transform_error_; }

  /// Calls visit(cell, law of the sum of the others) once a cell (SumTree).
  void visit_outside(const std::function<void(std::size_t, const Message&)>& visit) const {
    sums_.visit_outside(visit);
  }
  [[nodiscard]] Message outside_of_pair(std::size_t cell) const { return sums_.outside_of_pair(cell); }

  /// One draw of all counts; returns their sum.
  std::int64_t draw(std::span<std::int64_t> s, Rng& rng) const;

 private:
  void weigh_totals();

  CountPlan plan_;
  SumTree sums_;
  Message total_weight_;
  Message totals_;
  InverseCdf draw_total_;  ///< empty where there is one n
  double mass_ = 0;
  double log_evidence_ = 0;
  double transform_error_ = 0;
};

}  // namespace postern::infer
