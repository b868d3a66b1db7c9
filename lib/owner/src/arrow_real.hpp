#pragma once

#include <cstdint>
#include <vector>

#include "postern/model/column.hpp"
#include "postern/model/encode.hpp"

namespace postern::owner {

/// Floats -> codes of one column of numbers, as if each float were written out to its last digit: a level's
/// first float is found once, exactly, and records are compared with it as floats.
class RealCodes {
 public:
  /// @pre the column holds numbers. Column and encoder must outlive this.
  RealCodes(const model::Column& column, const model::Encoder& encoder);
  [[nodiscard]] std::uint32_t code(double value) const;

 private:
  [[nodiscard]] std::size_t passed(double value) const;

  std::vector<double> steps_;  // the least float of each level, and of what lies above them
  std::uint32_t missing_;
  std::uint32_t below_;
  std::uint32_t above_;
  bool whole_only_;
  double per_unit_ = 0;  // steps in a unit, when they are even and many
};

/// The value of a 16-bit float.
[[nodiscard]] float widen_half(std::uint16_t bits);

}  // namespace postern::owner
