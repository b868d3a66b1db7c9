#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "count_plan.hpp"
#include "numeric/inverse_cdf.hpp"
#include "split_envelope.hpp"

namespace postern::infer {

/// The balanced tree of convolutions. A leaf holds the tilted, normalised weights of one cell, a node the law
/// of the sum of its leaves under the product law, the root the totals that matter. Totals are counted in
/// multiples of pitch(), which all of them are.
class CountTree {
 public:
  CountTree(CountPlan plan, int threads);

  [[nodiscard]] const CountPlan& plan() const { return plan_; }
  [[nodiscard]] std::size_t cells() const { return plan_.cells.size(); }
  [[nodiscard]] const Message& leaf(std::size_t cell) const { return nodes_[cell].message; }
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

  /// For each cell the law of the sum of all the others, as far as it can meet the cell and a total that
  /// matters. Calls visit(cell, outside) once a cell, from several threads.
  void visit_outside(const std::function<void(std::size_t, const Message&)>& visit) const;
  /// The same for one of two cells. @pre cells() == 2
  [[nodiscard]] Message outside_of_pair(std::size_t cell) const {
    return outside_of(nodes_[cell], nodes_[1 - cell], Message{0, {1.0}});
  }

  /// One draw of all counts; returns their sum.
  std::int64_t draw(std::span<std::int64_t> s, Rng& rng) const;

 private:
  struct Node {
    std::size_t left = 0;
    std::size_t right = 0;
    Message message;
    double mean = 0;
    double variance = 0;
    Window reach;  ///< sum of the windows of its leaves
    double error = 0;
    SplitEnvelope envelope;  ///< empty where splits are narrow
  };
  void plant();
  void grow(Node& node, bool root);
  void weigh_totals();
  void prepare_draws();
  [[nodiscard]] SplitEnvelope envelope_of(const Node& node) const;
  void descend(std::size_t node, Message outside,
               const std::function<void(std::size_t, const Message&)>& visit) const;
  [[nodiscard]] Message outside_of(const Node& child, const Node& sibling, const Message& outside) const;
  [[nodiscard]] double weight_of(const Node& node, std::int64_t sum) const;
  /// Draws the counts below a node, given their sum.
  void share_out(std::size_t node, std::int64_t sum, std::span<std::int64_t> s, Rng& rng) const;
  [[nodiscard]] std::int64_t split(const Node& node, std::int64_t sum, Rng& rng) const;

  CountPlan plan_;
  int threads_;
  std::vector<Node> nodes_;  ///< leaves first, the root last
  std::vector<std::pair<std::size_t, std::size_t>>
      levels_;  ///< first and past-the-end node of each level above the leaves
  Message total_weight_;
  Message totals_;
  InverseCdf draw_total_;
  InverseCdf draw_first_split_;  ///< of the left part at the root; empty unless n is known
  std::int64_t first_split_lo_ = 0;
  double mass_ = 0;
  double log_evidence_ = 0;
  double log_leaf_mass_ = 0;
  double transform_error_ = 0;
};

}  // namespace postern::infer
