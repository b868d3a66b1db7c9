#pragma once

#include <cstdint>

#include "postern/core/rational.hpp"
#include "postern/model/column.hpp"

namespace postern::model {

/// Where the levels of a column of numbers begin: the map of Encoder for numbers that are not text.
/// A number x is below the column if x < begin(0), in level l if begin(l) <= x < begin(l + 1), and above it
/// if x > top(). In an integer column only whole numbers have a level.
class LevelSteps {
 public:
  /// @pre the column holds numbers, and check_column accepts it. The column must outlive this.
  explicit LevelSteps(const Column& column);
  [[nodiscard]] std::uint32_t levels() const { return levels_; }
  [[nodiscard]] Rational begin(std::uint32_t level) const;
  [[nodiscard]] Rational top() const;
  [[nodiscard]] bool whole_only() const { return integers_ != nullptr; }
  /// Distance between begins of a column without cuts; 0 with cuts.
  [[nodiscard]] Rational stride() const;

 private:
  const IntegerRange* integers_;
  const RealRange* reals_;
  std::uint32_t levels_;
};

}  // namespace postern::model
