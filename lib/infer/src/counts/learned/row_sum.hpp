#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "counts/sum_tree.hpp"

namespace postern::infer {

/// The law of a row's sum, its counts independent of each other under a tilt, and draws of the counts given
/// the sum. Where little is to be added up, by one tree of convolutions. Else the law comes from one product
/// of spectra, and draws by rejection: all counts but a few are drawn from their own laws, the few given what
/// is left of the sum.
class RowSum {
 public:
  /// Mean and variance are those of the sum. @pre leaves are normalised
  RowSum(std::vector<SumLeaf> leaves, double mean, double variance, double tilt, Window totals);

  /// The law on sums that matter.
  [[nodiscard]] const Message& root() const { return tree_ ? tree_->root() : root_; }
  /// Bound on the absolute error of any one of its weights.
  [[nodiscard]] double error() const { return tree_ ? tree_->error() : error_; }
  /// Log of what normalising the leaves divided out.
  [[nodiscard]] double log_leaf_mass() const { return tree_ ? tree_->log_leaf_mass() : log_leaf_mass_; }
  /// Products that building it took, about.
  [[nodiscard]] double work() const { return work_; }
  /// Draws all counts, given their sum. @pre root().at(sum) > error()
  void share_out(std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) const;

 private:
  class Proposal;
  [[nodiscard]] SumTree whole_tree() const;
  void transform(double mean, double variance);

  std::optional<SumTree> tree_;
  std::vector<SumLeaf> leaves_;
  double tilt_ = 0;
  Window totals_;
  Message root_;
  double error_ = 0;
  double log_leaf_mass_ = 0;
  double work_ = 0;
  std::shared_ptr<Proposal> proposal_;  ///< made by the first draw
};

}  // namespace postern::infer
