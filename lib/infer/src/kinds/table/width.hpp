#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "postern/infer/kinds/table/count_model.hpp"
#include "postern/infer/width.hpp"
#include "postern/model/plan.hpp"

namespace postern::infer {

/// A table's widths, exactly. Of many cells not all are looked at in every study: where prior and assumed
/// probability are the same, so is the law of the width, and some stand for the others.
class TableWidths : public WidthForecast {
 public:
  /// @pre `at` has one entry a cell, or one in all for a bernoulli
  TableWidths(const model::Study& study, const model::Assumed& at);

  /// One row a cell that is reported, and one for n where it is private.
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  /// One entry a cell that is looked at, and one for n where it is private.
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;
  [[nodiscard]] std::size_t entry(std::size_t row) const override;

 private:
  [[nodiscard]] std::vector<PriorWidth> learned_rows() const;
  [[nodiscard]] StudyWidths learned_widths(const MadeUpStudy& made, Rng& rng,
                                           const std::stop_token& stop) const;

  const model::Study& study_;
  CountModel model_;
  double total_ = 0;                 ///< of alpha
  std::vector<std::size_t> looked_;  ///< places among the model's quantities
  std::vector<std::size_t> entry_;   ///< of each quantity, into looked_
};

/// Throws engine_limit where the posterior of such a release would take minutes.
void check_table_plan(const model::Study& study, const model::NoisePlan& plan, std::optional<std::int64_t> n);

/// What the exact engine would need for such a release, judged at the prior's mean.
[[nodiscard]] double table_bytes(const model::Study& study, const model::NoisePlan& plan,
                                 std::optional<std::int64_t> n);

}  // namespace postern::infer
