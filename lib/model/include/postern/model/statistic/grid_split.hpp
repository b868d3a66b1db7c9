#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/statistic.hpp"

namespace postern::model {

/// How well each point of a grid serves as the probability of one split of one row of a column's table:
/// levels first..middle-1 rather than middle..last-1. Not published; one point is chosen by its score,
///     N_below log(g) + N_above log(G - 1 - g) + floor(prior_below log(g) + prior_above log(G - 1 - g)),
/// with N the records of the row on either side and log(g) the integers of grid_logs.
struct GridSplit {
  std::vector<std::string> columns;  ///< the parents, then the column that is split
  std::uint32_t row = 0;             ///< of the parents' levels, row-major
  std::uint32_t first = 0;
  std::uint32_t middle = 1;
  std::uint32_t last = 2;
  Rational omega;  ///< the first point; the last is 1 - omega
  std::uint32_t points = 2;
  Rational prior_below;  ///< records that the prior is worth beside those of the row; may be negative
  Rational prior_above;
};
[[nodiscard]] const StatisticKind& kind_of(const GridSplit& split);

inline constexpr unsigned kGridLogBits = 20;  ///< logarithms are in units of 2^-20
inline constexpr std::uint32_t kMostGridPoints = 1001;
inline constexpr std::uint32_t kMostSplitLevels = 64;  ///< of a column whose table is split
inline constexpr std::uint32_t kMostPriorBits = 36;    ///< a prior is worth at most 2^36 records

/// omega + (1 - 2 omega) index / (points - 1).
[[nodiscard]] Rational grid_point(const Rational& omega, std::uint32_t points, std::size_t index);
/// floor(2^bits ln x) for x > 0, certified: the same on every machine.
[[nodiscard]] Integer floor_log(const Rational& x, unsigned bits = kGridLogBits);

/// The public integers that records are scored by.
struct GridLogs {
  std::vector<std::int64_t> logs;  ///< floor_log of every point, rising
  std::string sha256;              ///< of their decimals, separated by commas
};
/// @pre 2^-10 <= omega < 1/2 and 2 <= points <= kMostGridPoints
[[nodiscard]] std::shared_ptr<const GridLogs> grid_logs(const Rational& omega, std::uint32_t points);
/// Their oscillation, log(G - 1) - log(0), which does not depend on the number of points.
[[nodiscard]] Integer grid_oscillation(const Rational& omega);

/// The grid of a plan whose choices are splits.
struct PlannedGrid {
  std::uint32_t points = 0;
  Rational omega;
  Rational tau;  ///< the power of the likelihood: 1 is the posterior itself
  /// Of the log likelihood between neighbours, so that epsilon = tau range; none where the cost is in rho.
  std::optional<Rational> range;
};
/// Nothing where the first block is no split.
[[nodiscard]] std::optional<PlannedGrid> planned_grid(const Measurement& measurement, const Schema& schema,
                                                      const PrivacyPolicy& policy);

}  // namespace postern::model
