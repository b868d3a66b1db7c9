#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "postern/model/column.hpp"

#include "study/encode/found.hpp"
#include "study/encode/key.hpp"

namespace postern::model {

/// The number in eight bytes of decimal digits, first digit in the lowest byte.
[[nodiscard]] inline std::uint64_t digits_to_number(std::uint64_t text) {
  text = (text & 0x0F0F0F0F0F0F0F0Fu) * 2561 >> 8;      // pairs: 10 a + b
  text = (text & 0x00FF00FF00FF00FFu) * 6553601 >> 16;  // fours
  return (text & 0x0000FFFF0000FFFFu) * 42949672960001u >> 32;
}
[[nodiscard]] inline bool all_digits(std::uint64_t text) {
  return (((text + 0x4646464646464646u) | (text - 0x3030303030303030u)) & 0x8080808080808080u) == 0;
}

/// How many of the rising cuts are <= value. Few cuts are counted without a branch.
[[nodiscard]] inline std::uint32_t count_cuts(std::span<const std::int64_t> cuts, std::int64_t value) {
  constexpr std::size_t kFew = 24;
  if (cuts.size() > kFew) {
    return static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
  }
  std::uint32_t count = 0;
  for (const std::int64_t cut : cuts) count += cut <= value ? 1u : 0u;
  return count;
}

/// Whole numbers -> levels.
class IntegerMap {
 public:
  explicit IntegerMap(const IntegerRange& range);
  [[nodiscard]] std::uint32_t locate(std::string_view text) const;

  enum class By { step, table, cuts };  ///< how a number in range becomes a level
  template <By Rule>
  class Fast;
  template <class Use>
  void with_fast(Use use) const;

 private:
  [[nodiscard]] std::uint32_t level_of(std::int64_t value) const;

  std::int64_t lo_;
  std::int64_t hi_;
  std::vector<std::int64_t> cuts_;
  std::vector<std::uint32_t> table_;  // value - lo -> level, for short ranges with cuts
};

/// For fields of one to eight digits.
template <IntegerMap::By Rule>
class IntegerMap::Fast {
 public:
  explicit Fast(const IntegerMap& map)
      : map_(map),
        lo_(static_cast<std::uint64_t>(map.lo_)),
        steps_(static_cast<std::uint64_t>(map.hi_) - lo_),
        table_(map.table_.data()),
        cuts_(map.cuts_) {}
  [[nodiscard]] std::uint32_t locate(const char* text, std::size_t size) const {
    if (std::endian::native == std::endian::little && size - 1 < FieldKey::kWord) {
      std::uint64_t word = 0;
      std::memcpy(&word, text + size - FieldKey::kWord, FieldKey::kWord);
      // The bytes before the field become leading zeros.
      const std::uint64_t keep = ~std::uint64_t{0} << (8 * (FieldKey::kWord - size));
      word = (word & keep) | (0x3030303030303030u & ~keep);
      const std::uint64_t value = digits_to_number(word);
      if (all_digits(word) && value - lo_ <= steps_) return level_of(value);
    }
    return map_.locate({text, size});
  }

 private:
  [[nodiscard]] std::uint32_t level_of(std::uint64_t value) const {
    if constexpr (Rule == By::step) return static_cast<std::uint32_t>(value - lo_);
    if constexpr (Rule == By::table) return table_[value - lo_];
    return count_cuts(cuts_, static_cast<std::int64_t>(value));
  }

  const IntegerMap& map_;
  std::uint64_t lo_;
  std::uint64_t steps_;
  const std::uint32_t* table_;
  std::span<const std::int64_t> cuts_;
};

template <class Use>
void IntegerMap::with_fast(Use use) const {
  if (cuts_.empty()) return use(Fast<By::step>(*this));
  if (!table_.empty()) return use(Fast<By::table>(*this));
  use(Fast<By::cuts>(*this));
}

}  // namespace postern::model
