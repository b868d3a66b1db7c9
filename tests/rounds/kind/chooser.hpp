#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/model/model.hpp"
#include "postern/model/statistic.hpp"
#include "postern/model/study.hpp"
#include "postern/release/rounds.hpp"

// A kind of model that exists in tests alone, to try what rounds do: it measures the table of one column,
// chooses the column that is least like what was found, and measures that. registry.cpp beside this file
// stands in for the library's registries in the programs that link it.

namespace postern::model {

/// All columns have as many levels as the first, which is measured first; the others are the candidates.
struct Chooser {
  std::vector<std::string> columns;
  /// "steady" spends a quarter, a quarter and a half, and knows all its noise beforehand; what the third
  /// round of "thrifty" costs depends on the choice, and there is none if the first candidate is chosen;
  /// "greedy" spends the whole budget on the third.
  std::string rule = "steady";
};
[[nodiscard]] const Kind& kind_of(const Chooser& chooser);

/// For every column the sum over levels of |records there - expected|: how unlike it is to what was expected.
struct DistanceScores {
  std::vector<std::string> columns;
  std::vector<std::int64_t> expected;
};
[[nodiscard]] const StatisticKind& kind_of(const DistanceScores& scores);

struct ChooserStudy {
  std::string rule = "steady";
  Adjacency adjacency = Adjacency::add_remove;
  Currency currency = Currency::pure;
  std::int64_t per_person = 0;  ///< 0: the unit is a record
  std::size_t candidates = 2;
};
/// Columns a, b, c, ... of the levels no and yes.
[[nodiscard]] Study chooser_study(const ChooserStudy& shape);

/// The table that its rounds take: what the first one found, as whole counts of at least 0.
[[nodiscard]] std::vector<Int128> found_counts(const release::Release& so_far);

}  // namespace postern::model
