#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "postern/core/rational.hpp"

namespace postern::model {

/// A decimal number as it was written: +-0.d(0) d(1) d(2)... x 10^point, d(0) != 0. The digits stay in the
/// text, so a number of a million digits or with the exponent 10^9 costs no memory.
class Decimal {
 public:
  /// [+-] digits [. digits] [e [+-] digits], with a digit somewhere before the exponent.
  [[nodiscard]] static std::optional<Decimal> parse(std::string_view text);

  [[nodiscard]] bool zero() const { return count_ == 0; }
  [[nodiscard]] bool negative() const { return negative_; }
  [[nodiscard]] bool whole() const { return point_ >= static_cast<std::int64_t>(count_); }
  /// Number of digits before the decimal point; negative for zeros behind it.
  [[nodiscard]] std::int64_t point() const { return point_; }
  /// Number of digits up to the last one that is not 0.
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] unsigned digit(std::size_t i) const {
    return i >= count_ ? 0u : static_cast<unsigned>(digits_[i < gap_ ? i : i + 1] - '0');
  }

 private:
  std::string_view digits_;  // d(0) ... d(count - 1), with the decimal point at `gap_` if it falls inside
  std::size_t gap_ = 0;
  std::size_t count_ = 0;
  std::int64_t point_ = 0;
  bool negative_ = false;
};

/// Sign of x - bound, exactly. Time: linear in the digits up to the first that differs.
[[nodiscard]] int compare(const Decimal& x, const Rational& bound);

/// Digits that always fit in 64 bits.
inline constexpr std::size_t kShortDigits = 18;

/// [-] digits [. digits] with 1 to kShortDigits digits: the digits as one number, and how many are behind the
/// point.
struct ShortNumber {
  std::int64_t digits = 0;
  int places = 0;
};
[[nodiscard]] std::optional<ShortNumber> parse_short(std::string_view text);

/// +1 for infinity, -1 for minus infinity, 0 for any other text.
[[nodiscard]] int parse_infinity(std::string_view text);

}  // namespace postern::model
