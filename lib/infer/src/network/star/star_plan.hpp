#pragma once

#include <vector>

#include "postern/infer/kinds/table/exact/count_posterior.hpp"

#include "counts/message.hpp"
#include "numeric/window.hpp"
#include "star_view.hpp"

namespace postern::infer {

/// How to sum one row; of no use for a row that nobody saw.
struct RowPlan {
  double tilt = 0;
  std::vector<RowMessage::Bound> bounds;
};

/// Where the posterior of a class's count is, and under which tilts its rows are to be summed.
struct ClassPlan {
  Window window;
  std::int64_t anchor = 0;    ///< a count in the middle of those that matter
  std::vector<RowPlan> rows;  ///< one a leaf
};

/// All that is decided before rows are summed. Windows come from outlines, so the tree that is built checks
/// them and asks for wider ones where they are not wide enough.
struct StarPlan {
  std::vector<ClassPlan> classes;
  double nats = 0;  ///< RowMessage::View
  Care care = Care::of_largest;

  /// Of what the rows, and the classes' tree, will need.
  [[nodiscard]] CountForecast forecast(const StarView& star) const;
};

/// Every total of every row: where records are few.
[[nodiscard]] StarPlan whole_plan(const StarView& star);
/// The totals that matter.
[[nodiscard]] StarPlan window_plan(const StarView& star, int threads);
/// The better of the two.
[[nodiscard]] StarPlan plan_star(const StarView& star, int threads);

/// Nats below the best at which windows end.
inline constexpr double kStarDepth = 58;

}  // namespace postern::infer
