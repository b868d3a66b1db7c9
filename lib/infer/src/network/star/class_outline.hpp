#pragma once

#include <map>
#include <optional>
#include <vector>

#include "counts/cell.hpp"
#include "profile.hpp"
#include "row_outline.hpp"
#include "star_plan.hpp"
#include "star_view.hpp"

namespace postern::infer {

/// log g_c(N) of one class from the outlines of its rows, at the few N that show where it matters.
class ClassOutline {
 public:
  ClassOutline(const StarView& star, std::size_t class_index);

  [[nodiscard]] Profile profile() const;
  /// Adds points wherever, under a tilt of the plan, the line between two that matter may be off by a nat.
  /// False if there is no such place.
  bool refine(const TotalsPlan& totals, double depth);
  /// How to sum the rows of all leaves around a count of the class.
  [[nodiscard]] std::vector<RowPlan> rows_at(double total);

 private:
  [[nodiscard]] double value_at(double total);
  /// The middles of the intervals that need one, under one tilt.
  [[nodiscard]] std::vector<double> missing(double tilt, double depth) const;

  Cell root_;
  std::vector<std::optional<RowOutline>> rows_;  ///< one a leaf; nothing where nothing was seen
  std::map<double, double> points_;
};

}  // namespace postern::infer
