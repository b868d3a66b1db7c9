#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// Tables with at most this many cells are counted by NarrowCounter.
inline constexpr std::size_t kNarrowCells = std::size_t{1} << 16;

/// Counts pairs of byte codes in a small table. Counters have 16 bits, so that a table stays in the nearest
/// cache, and are emptied before they can overflow; there are several of each, used in turn, so that equal
/// records in a row do not wait for one another.
class NarrowCounter {
 public:
  /// A table of rows x columns cells.
  NarrowCounter(std::size_t rows, std::size_t columns);
  /// @pre a[i] < rows, b[i] < columns.
  void add(const std::uint8_t* a, const std::uint8_t* b, std::size_t count);
  /// Adds what was counted to `totals`.
  void finish(std::vector<std::int64_t>& totals);

 private:
  void empty();

  std::uint16_t columns_;
  std::size_t cells_;
  std::size_t copies_;
  std::size_t most_rows_;  // until the counters must be emptied
  std::size_t rows_ = 0;
  Wiped<std::uint16_t> counters_;  // copies_ tables
  Wiped<std::int64_t> sums_;
};

/// out[i] = out[i] * levels + code of record begin + i. Start with zeros.
template <class Index>
void fuse(const CodedColumn& column, std::uint32_t levels, std::size_t begin, std::size_t count, Index* out) {
  std::visit(
      [&](const auto& codes) {
        const auto* const in = codes.data() + begin;
        for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Index>(out[i] * levels + in[i]);
      },
      column);
}

}  // namespace postern::owner
