#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "postern/model/column.hpp"
#include "postern/model/encode.hpp"

#include "steps.hpp"

namespace postern::owner {

/// A whole number for each float but NaN, such that they are in the same order; the two zeros are one.
[[nodiscard]] inline std::int64_t order_of(double value) {
  const std::int64_t bits = value == 0 ? 0 : std::bit_cast<std::int64_t>(value);
  return bits ^ static_cast<std::int64_t>(static_cast<std::uint64_t>(bits >> 63) >> 1);
}
/// Whether a float that is not NaN has no fraction.
[[nodiscard]] inline bool is_whole(double value) {
  constexpr double kNoFractions = 0x1p62;  // and what lies below fits a 64-bit number
  return !(std::fabs(value) < kNoFractions) || static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

/// Floats -> codes of one column of numbers, as if each float were its shortest decimal, which is how a CSV
/// file would hold it: a level's first float is found once, exactly, and records are compared with it as
/// floats.
class RealCodes {
 public:
  /// @pre the column holds numbers. Column and encoder must outlive this.
  RealCodes(const model::Column& column, const model::Encoder& encoder);
  [[nodiscard]] std::uint32_t code(double value) const {
    if (std::isnan(value) || (whole_only_ && !is_whole(value))) return missing_;
    return codes_.data()[search_.ready() ? search_.passed(order_of(value)) : passed(value)];
  }

 private:
  [[nodiscard]] std::size_t passed(double value) const;

  std::vector<double> steps_;         // the least float of each level, and of what lies above them
  std::vector<std::uint32_t> codes_;  // codes_[k] holds when k of them have been passed
  StepSearch search_;                 // not ready if they are many
  std::uint32_t missing_;
  bool whole_only_;
  double per_unit_ = 0;  // steps in a unit, when they are even and many
};

/// The value of a 16-bit float.
[[nodiscard]] float widen_half(std::uint16_t bits);

}  // namespace postern::owner
