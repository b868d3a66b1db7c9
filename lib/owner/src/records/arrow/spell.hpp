#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace postern::owner {

/// digits * 10^exponent: of the decimals that are read back as the same 64-bit float, one with fewest digits,
/// and of those the nearest. A larger float has a larger one: reading rounds, and so never turns the order of
/// two decimals around.
class ShortestDecimal {
 public:
  /// @pre finite; the sign is left out.
  explicit ShortestDecimal(double value);
  [[nodiscard]] std::string_view digits() const { return {digits_.data(), count_}; }
  [[nodiscard]] int exponent() const { return exponent_; }

 private:
  std::array<char, 24> digits_;  // at most 17
  std::size_t count_ = 0;
  int exponent_ = 0;
};

/// Numbers as the text that stands for them in a CSV file. The text lives in the speller until its next use.
class Speller {
 public:
  /// value / 10^scale, exactly, without zeros at the end of a fraction.
  [[nodiscard]] std::string_view spell(std::int64_t value, int scale = 0);
  [[nodiscard]] std::string_view spell(std::uint64_t value);
  /// The same for two's complement in several words, lowest first. @pre at most four.
  [[nodiscard]] std::string_view spell(std::span<const std::uint64_t> words, int scale);
  /// The shortest decimal of a float, without an exponent; never "-0". Infinities are "inf" and "-inf".
  [[nodiscard]] std::string_view spell(double value);

 private:
  /// Places the point in the digits in front of `end`, and the sign.
  [[nodiscard]] std::string_view finish(char* begin, bool negative, int scale);

  std::array<char, 1024> memory_;
  static constexpr std::size_t kDigitsEnd = 512;  // digits are written in front of it, zeros behind
};

}  // namespace postern::owner
