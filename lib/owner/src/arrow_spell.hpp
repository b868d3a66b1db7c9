#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace postern::owner {

/// Numbers as the text that stands for them in a CSV file. The text lives in the speller until its next use.
class Speller {
 public:
  /// value / 10^scale, exactly, without zeros at the end of a fraction.
  [[nodiscard]] std::string_view spell(std::int64_t value, int scale = 0);
  [[nodiscard]] std::string_view spell(std::uint64_t value);
  /// The same for two's complement in several words, lowest first. @pre at most four.
  [[nodiscard]] std::string_view spell(std::span<const std::uint64_t> words, int scale);
  /// The shortest text that is read back as the same float; whole numbers without a point, never "-0".
  [[nodiscard]] std::string_view spell(double value);
  [[nodiscard]] std::string_view spell(float value);

 private:
  /// Places the point in the digits in front of `end`, and the sign.
  [[nodiscard]] std::string_view finish(char* begin, bool negative, int scale);

  std::array<char, 512> memory_;
  static constexpr std::size_t kDigitsEnd = 256;  // digits are written in front of it, zeros behind
};

}  // namespace postern::owner
