#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/model/schema.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// A column of small integers, one a level. @pre |k| <= 2^14
struct SmallNumbers {
  const CodedColumn* codes = nullptr;
  std::vector<std::int16_t> numbers;
};

/// Sums over rows of columns of small integers: of each, of their products, and of each within the levels of
/// other columns.
struct SmallSums {
  /// @pre levels[c] are those of category c
  SmallSums(std::size_t numbers, std::span<const std::uint32_t> levels);
  void add(const SmallSums& other);

  std::vector<std::int64_t> sums;                 ///< one a number
  std::vector<std::int64_t> products;             ///< numbers x numbers, first <= second
  std::vector<std::vector<std::int64_t>> within;  ///< one a category: number x level
};

/// Adds rows begin .. end. @pre rows are fewer than 2^34, so that no sum leaves 64 bits
void add_rows(const std::vector<SmallNumbers>& numbers, const std::vector<const CodedColumn*>& categories,
              std::size_t begin, std::size_t end, SmallSums& out);

}  // namespace postern::owner
