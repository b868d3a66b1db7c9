#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/policy.hpp"
#include "postern/model/statistic.hpp"

namespace postern::model {

/// How well each of some candidates suits all records: the sum, over records, of a public integer that
/// depends on the candidate and on the record's level (of several columns: its cell). The sums are not
/// published; one candidate is chosen by them (the factored exponential mechanism of Williams and McSherry
/// 2010).
struct ScoreTable {
  std::vector<std::string> columns;
  std::vector<std::string> candidates;  ///< what each is called
  std::vector<std::int64_t> scores;     ///< candidates x cells, candidate by candidate
};
[[nodiscard]] const StatisticKind& kind_of(const ScoreTable& table);

inline constexpr std::size_t kMostCandidates = 1000;
inline constexpr std::size_t kMostScores = 1u << 15;  ///< candidates x cells
inline constexpr std::int64_t kMostScore = 1 << 30;   ///< of one record, either way

/// R: the most by which (change of one sum) - (change of another) can differ between neighbours. The
/// argument is in statistic/scores/table.md. @pre the table is one of the schema's
[[nodiscard]] std::int64_t score_table_range(const ScoreTable& table, Adjacency adjacency);

/// The scores at key `scores`, row by row. Refuses what is no table of that many rows.
[[nodiscard]] std::vector<std::int64_t> read_scores(Node& node, std::size_t candidates);

}  // namespace postern::model
