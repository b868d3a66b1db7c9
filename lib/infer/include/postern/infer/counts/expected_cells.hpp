#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "postern/infer/counts/learned_table.hpp"

namespace postern::infer {

/// What draws put into *expected cells* beyond what was released. In a draw a cell is expected where its
/// row's sum times its level's share of the last column is above the noise's standard deviation. That is a
/// matter of the draw's counts alone, so that under the model the noise of these cells, added up, has its
/// law: a sum that is far below 0 draw by draw says that records of small cells went to large ones.
class ExpectedCells {
 public:
  /// @pre table outlives it
  ExpectedCells(const LearnedTable& table, std::size_t sets);
  /// From one thread a set.
  void add(std::size_t set, std::span<const std::int64_t> counts);

  struct Excess {
    double records = 0;  ///< more than was released
    double sds = 0;      ///< beyond their share of all cells' excess, in sds of the noise of such a sum
    double cells = 0;
  };
  /// On average over the draws; nothing where hardly any cell, or nearly every one, was expected, or values
  /// are known by a band alone.
  [[nodiscard]] std::optional<Excess> result() const;

 private:
  struct Sums {
    double draws = 0;
    double records = 0;
    double sds = 0;
    double cells = 0;
  };
  struct Seen {
    double y = 0;
    double sd = 0;
  };
  std::size_t levels_;       ///< of the last column
  std::vector<Seen> cells_;  ///< empty: nothing is to be said
  std::vector<Sums> sums_;   ///< by set
};

}  // namespace postern::infer
