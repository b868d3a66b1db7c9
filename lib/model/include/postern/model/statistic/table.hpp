#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/model/statistic.hpp"

namespace postern::model {

/// Counts of all cells of the table over some columns, row-major, zeros included.
struct Table {
  std::vector<std::string> columns;
};
[[nodiscard]] const StatisticKind& kind_of(const Table& table);

/// Number of records at one level of one column (a binary column with public n needs no second cell).
struct LevelCount {
  std::string column;
  std::uint32_t level = 0;
};
[[nodiscard]] const StatisticKind& kind_of(const LevelCount& count);

/// Number of records: only where n is private.
struct RecordCount {};
[[nodiscard]] const StatisticKind& kind_of(const RecordCount& count);

}  // namespace postern::model
