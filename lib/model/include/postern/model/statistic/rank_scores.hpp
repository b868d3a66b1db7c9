#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/statistic.hpp"

namespace postern::model {

/// How well each level of a column serves as its quantile: not published; one level is chosen by its score.
struct RankScores {
  std::string column;
  Rational at;  ///< in (0, 1)
};
[[nodiscard]] const StatisticKind& kind_of(const RankScores& scores);

/// -max(0, b #{below l} - a n, a n - b #{at l or below}) for every level l, from the counts of the levels; at
/// = a/b in lowest terms.
[[nodiscard]] std::vector<std::int64_t> rank_scores(const RankScores& scores,
                                                    std::span<const std::int64_t> counts);

}  // namespace postern::model
