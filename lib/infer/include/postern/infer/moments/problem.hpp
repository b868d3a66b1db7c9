#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "postern/infer/regression/problem.hpp"
#include "postern/model/wishart.hpp"

namespace postern::infer {

/// The two values, scaled, that a column of two levels takes: 0 and 1 of an indicator, -1 and 1 of a number.
struct TwoLevels {
  double low = 0;
  double high = 1;
};

/// What is known of the records of one record set: noisy sums of products of w = (1, columns), the columns
/// scaled to -1..1. The prior of the columns' covariance, and of the slopes if the last column is the target
/// of a regression on the others, has scales of its own that are learned, unless `stated` says otherwise:
/// scatter_posterior.md.
struct ScatterProblem {
  std::size_t columns = 0;
  bool target = false;  ///< is the last column that of a regression on the others?
  std::vector<NoisyMoment> moments;
  std::variant<KnownTotal, LatentTotal> total;
  /// The same sums over records that are public, row-major and square; empty where there are none.
  std::vector<double> public_moments;
  /// One a column; nothing of a column of many levels. May be left empty.
  std::vector<std::optional<TwoLevels>> two_levels;
  /// Where the noisy sums are not counted from the middle of the ranges: they are of w = (1, column_1 +
  /// origin_1, ...). Empty: from the middle.
  std::vector<double> origin;
  /// A prior of means and covariance that is known, or loose, of the scaled columns in the place of the
  /// learned one. @pre no target, no public rows
  std::optional<model::WishartPrior> stated;
  /// Where the columns' axes are asked for: half of each column's range in the units that the axes are in.
  /// Sds are then alike in these units. Else empty. @pre no target
  std::vector<double> axis_units;
  /// Multiplies the centres of the scales' priors: of sds (0.5), of slopes (0.8), of sigma (0.2).
  double prior_scale = 1;

  [[nodiscard]] std::size_t width() const { return columns + 1; }  ///< of w
  [[nodiscard]] double origin_of(std::size_t column) const { return origin.empty() ? 0 : origin[column]; }
  [[nodiscard]] std::size_t features() const { return columns - (target ? 1 : 0); }
  [[nodiscard]] double public_records() const { return public_moments.empty() ? 0 : public_moments.front(); }
};

/// The fewest records that the posterior is made for: with fewer the scatter is singular.
[[nodiscard]] inline std::size_t least_records(const ScatterProblem& problem) { return problem.columns + 2; }

}  // namespace postern::infer
