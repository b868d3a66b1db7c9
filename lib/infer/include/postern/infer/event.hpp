#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace postern::infer {

/// Levels that some columns of a model may have: a product of sets, one a column.
struct Event {
  /// levels[c][l]: may the model's c-th column be at its level l? An empty entry stands for all levels. A
  /// kind with names of its own in queries has places of its own, and those past the last stand for all
  /// levels too.
  std::vector<std::vector<bool>> levels;

  [[nodiscard]] bool holds(std::size_t column, std::size_t level) const {
    return levels[column].empty() || levels[column][level];
  }
};

/// What a name in a query stands for: a place of Event::levels, and the column whose levels these are.
struct EventPlace {
  std::size_t place = 0;
  std::string column;
};

/// One draw of a chain that keeps its draws quantity by quantity.
struct DrawOfChain {
  std::span<const double> chain;
  std::size_t iterations = 0;
  std::size_t at = 0;

  [[nodiscard]] double operator[](std::size_t quantity) const { return chain[quantity * iterations + at]; }
};

/// The probability of an event under the parameters of a draw, up to a factor of the draw. It may keep a
/// workspace: one thread calls it at a time.
using EventMass = std::function<double(const DrawOfChain& draw)>;

}  // namespace postern::infer
