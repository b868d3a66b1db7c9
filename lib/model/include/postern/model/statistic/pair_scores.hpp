#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "postern/model/statistic.hpp"

namespace postern::model {

/// For every candidate, a pair of columns, how far its table is from what independent columns would have: the
/// sum over cells of |records there - expected|. Which pair is measured next is chosen by these scores.
struct PairScores {
  std::vector<std::string> columns;
  /// Records at each level of each column, as they were estimated; each column's add up to about `total`.
  std::vector<std::vector<std::int64_t>> margins;
  std::int64_t total = 1;
  std::vector<std::array<std::uint32_t, 2>> pairs;  ///< candidates, by places in `columns`
};
[[nodiscard]] const StatisticKind& kind_of(const PairScores& scores);

/// The scores of pairs whose tables are these. @pre one table a pair, row-major
[[nodiscard]] std::vector<Int128> distances(const PairScores& scores,
                                            const std::vector<std::span<const std::int64_t>>& tables);
/// Expected records of a cell: margins multiplied, over the total, rounded to the nearest whole number.
[[nodiscard]] std::int64_t expected_records(std::int64_t one, std::int64_t other, std::int64_t total);

}  // namespace postern::model
