#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "counts/sum_tree.hpp"
#include "counts/total_weight.hpp"
#include "network/row_message.hpp"
#include "numeric/inverse_cdf.hpp"
#include "star_plan.hpp"
#include "star_view.hpp"

namespace postern::infer {

/// A class's count N given y, and n summed out with it. Vectors are over count.window().
struct ClassLaw {
  Message count;               ///< P(N | y)
  std::vector<double> share;   ///< sum over n of P(N, n | y) (a + N) / (A_0 + n): sums to E[theta]
  std::vector<double> square;  ///< the same for E[theta^2]
};

/// The rows of every class, summed, and the classes' tree of sums on top (star_posterior.md).
class StarTree {
 public:
  StarTree(const StarView& star, const StarPlan& plan, int threads);

  [[nodiscard]] double log_evidence() const { return log_evidence_; }
  /// P(n | y).
  [[nodiscard]] const Message& totals() const { return totals_; }
  [[nodiscard]] const ClassLaw& law(std::size_t class_index) const { return laws_[class_index]; }
  /// Nothing for a row that nobody saw.
  [[nodiscard]] const RowMessage* row(std::size_t leaf, std::size_t class_index) const {
    const std::optional<RowMessage>& row = rows_[class_index][leaf];
    return row ? &*row : nullptr;
  }
  /// One draw of the classes' counts; returns their sum.
  std::int64_t draw(std::span<std::int64_t> counts, Rng& rng) const;

  /// The plan with wider windows or more care where this tree shows that it takes them; nothing if it is good
  /// enough.
  [[nodiscard]] std::optional<StarPlan> better(const StarPlan& plan, std::int64_t most) const;

 private:
  void sum_rows(const StarView& star, const StarPlan& plan, int threads);
  void sum_classes(const StarView& star, int threads);
  void weigh_totals(const TotalWeight& total, double tilt, std::int64_t anchor, double log_shift);
  void find_laws(std::span<const double> alpha, double alpha0);
  void bar_totals();
  [[nodiscard]] double error_of_rows(std::size_t class_index) const;

  std::vector<std::vector<std::optional<RowMessage>>> rows_;  ///< by class, then leaf
  std::vector<Window> windows_;                               ///< of the classes' counts
  std::vector<std::vector<double>> log_weights_;              ///< log g_c on them
  double log_constant_ = 0;
  std::optional<SumTree> classes_;
  Message total_weight_;  ///< h(n) e^{-tilt (n - anchor)} / h(anchor)
  Message totals_;
  InverseCdf draw_total_;  ///< empty where there is one n
  std::vector<ClassLaw> laws_;
  std::vector<std::vector<char>> barred_;  ///< by class, then N: no row can share it out; empty if none is
  double mass_ = 0;
  double log_evidence_ = 0;
};

/// Builds, and builds again where the tree asks for it.
/// Fails: engine_limit beyond the memory limit, or where the values contradict each other beyond a double.
[[nodiscard]] StarTree make_star_tree(const StarView& star, StarPlan plan, std::size_t memory_limit,
                                      int threads);

}  // namespace postern::infer
