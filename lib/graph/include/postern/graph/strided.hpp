#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/graph/variables.hpp"

namespace postern::graph {

/// A walk through the cells of one table, row-major, that says at each where the same levels are in another
/// table. Variables that only the other table has stay at their first level; dimensions that move together
/// are walked as one.
class Strided {
 public:
  struct Dimension {
    std::size_t size = 1;
    std::size_t step = 0;
  };

  Strided() = default;
  /// `of` are the variables walked, `in` those of the other table, each in the order of its dimensions.
  Strided(std::span<const std::uint32_t> of, std::span<const std::uint32_t> in,
          std::span<const std::uint32_t> sizes);

  /// Calls run(first, other, count, step): cells first..first+count-1 are at other, other+step, ...
  template <class Run>
  void walk(Run&& run) const {
    constexpr std::size_t most = 64;  // each dimension at least doubles the cells
    std::array<std::size_t, most> at{};
    std::size_t first = 0;
    std::size_t other = 0;
    for (;;) {
      run(first, other, inner_.size, inner_.step);
      first += inner_.size;
      std::size_t d = 0;
      for (; d < outer_.size(); ++d) {
        other += outer_[d].step;
        if (++at[d] < outer_[d].size) break;
        other -= outer_[d].step * outer_[d].size;
        at[d] = 0;
      }
      if (d == outer_.size()) return;
    }
  }

  /// The dimension of runs, and those around it, the fastest first.
  [[nodiscard]] const Dimension& inner() const { return inner_; }
  [[nodiscard]] std::span<const Dimension> outer() const { return outer_; }

 private:
  Dimension inner_;
  std::vector<Dimension> outer_;  ///< the fastest first
};

}  // namespace postern::graph
