#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/statistic/clique_scores.hpp"
#include "postern/model/statistic/pair_scores.hpp"

namespace postern::owner {

/// A statistic computed faster than by its definition; nothing where there is no such way.
using Accelerated = std::optional<std::vector<Int128>>;

/// The columns of every candidate's table.
[[nodiscard]] std::vector<std::vector<std::string>> candidate_tables(const model::PairScores& scores);
[[nodiscard]] std::vector<std::vector<std::string>> candidate_tables(const model::CliqueScores& scores);

/// Scores of candidates from their tables. `counts` gives the table of some columns, row-major.
using CountsOf = std::function<std::span<const std::int64_t>(const std::vector<std::string>& columns)>;
[[nodiscard]] Accelerated measure_scores(const model::Statistic& statistic, const CountsOf& counts);

}  // namespace postern::owner
