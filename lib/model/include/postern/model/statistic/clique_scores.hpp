#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/graph/variables.hpp"
#include "postern/model/statistic.hpp"

namespace postern::model {

/// For every candidate, a set of columns, how far its table is from an expected one: the sum over cells of
/// |records there - expected|, less the candidate's handicap. Which table is measured next is chosen by these
/// scores; what is expected is public, say a fitted model's tables, rounded.
struct CliqueScores {
  std::vector<std::string> columns;
  std::vector<graph::Variables> cliques;  ///< candidates, by places in `columns`, increasing
  std::vector<std::int64_t> expected;     ///< table after table, each row-major; at least 0
  std::vector<std::int64_t> handicaps;    ///< one a candidate; at least 0
};
[[nodiscard]] const StatisticKind& kind_of(const CliqueScores& scores);

/// The largest expected count, and the largest handicap.
inline constexpr std::int64_t kMostExpected = std::int64_t{1} << 40;

/// The scores of candidates whose tables are these. @pre one table a candidate, row-major
[[nodiscard]] std::vector<Int128> distances(const CliqueScores& scores,
                                            const std::vector<std::span<const std::int64_t>>& tables);

}  // namespace postern::model
