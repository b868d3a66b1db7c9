#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/core/rng.hpp"

#include "message.hpp"

namespace postern::infer {

/// Draws the left part x of a sum, with probability proportional to left(x) right(sum - x), from running sums
/// that are kept for every sum. For narrow laws that are drawn from often.
class SplitTable {
 public:
  SplitTable() = default;  ///< of nothing
  SplitTable(const Message& left, const Message& right, Window sums);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Numbers that a table would hold.
  [[nodiscard]] static double size_of(const Message& left, const Message& right, Window sums);

  /// @pre the sum is one of the table's, and can be split
  [[nodiscard]] std::int64_t draw(std::int64_t sum, Rng& rng) const;

 private:
  struct Row {
    std::int64_t lo = 0;  ///< the first x
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  std::int64_t first_sum_ = 0;
  std::vector<Row> rows_;
  std::vector<double> running_;
};

}  // namespace postern::infer
