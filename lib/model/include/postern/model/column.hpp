#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "postern/core/rational.hpp"

namespace postern::model {

/// Declared values of a column. They come from the study, never from the data.
struct Categories {
  std::vector<std::string> labels;
};
/// Whole numbers lo..hi; `cuts` split them into [lo,c1) [c1,c2) ... [ck,hi]. Without cuts each number is a
/// level.
struct IntegerRange {
  std::int64_t lo = 0;
  std::int64_t hi = 0;
  std::vector<std::int64_t> cuts;
};
/// Real numbers lo..hi rounded to multiples of `grid` (lo, hi and cuts are such multiples).
struct RealRange {
  Rational lo;
  Rational hi;
  Rational grid;
  std::vector<Rational> cuts;
};
using Values = std::variant<Categories, IntegerRange, RealRange>;

/// What happens to a field that cannot be used as it stands. Applied silently, record by record.
struct Clamp {};  ///< numbers only: the nearest bound
struct MapTo {
  std::uint32_t level = 0;  ///< a declared level
};
struct Drop {};  ///< the whole record goes; only when n is private
using Policy = std::variant<Clamp, MapTo, Drop>;

/// One declared column.
/// Levels: categories, the intervals between cuts, or the points of the grid.
struct Column {
  std::string name;
  Values values;
  Policy missing = MapTo{0};  ///< empty, unreadable or absent field
  Policy outside =
      Clamp{};  ///< a readable value that is not declared; for categories, `missing` unless stated
  bool missing_declared = false;  ///< false: the study named no policy and level 0 is the default

  [[nodiscard]] std::uint32_t levels() const;
  [[nodiscard]] std::string label(std::uint32_t level) const;
  [[nodiscard]] std::optional<std::uint32_t> find_level(const std::string& label) const;
};

/// Most levels a column may have.
inline constexpr std::uint32_t kMaxLevels = 1u << 20;
/// Most cells a table may have, and all tables of a document together.
inline constexpr std::size_t kMaxCells = std::size_t{1} << 22;

/// Refuses duplicate categories, cuts out of order or range, bounds off the grid, too many levels.
void check_column(const Column& column);

}  // namespace postern::model
