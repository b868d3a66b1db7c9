#include "spell.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "postern/core/int128.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kMostWords = 4;
constexpr std::uint64_t kTenToThe18 = 1'000'000'000'000'000'000u;

/// Divides the words by 10^18 in place, and returns the rest.
std::uint64_t divide(std::span<std::uint64_t> words) {
  std::uint64_t rest = 0;
  for (std::size_t i = words.size(); i-- > 0;) {
    const Uint128 part = Uint128{rest} << 64 | words[i];
    words[i] = static_cast<std::uint64_t>(part / kTenToThe18);
    rest = static_cast<std::uint64_t>(part % kTenToThe18);
  }
  return rest;
}

void negate(std::span<std::uint64_t> words) {
  bool carry = true;
  for (std::uint64_t& word : words) {
    word = ~word + (carry ? 1 : 0);
    carry = carry && word == 0;
  }
}

}  // namespace

ShortestDecimal::ShortestDecimal(double value) {
  char text[32];
  const char* const end =
      std::to_chars(text, text + sizeof text, std::abs(value), std::chars_format::scientific).ptr;
  const char* const e = std::find(text, const_cast<char*>(end), 'e');
  for (const char* c = text; c != e; ++c) {
    if (*c != '.') digits_[count_++] = *c;
  }
  const char* const begin = e + (e[1] == '+' ? 2 : 1);
  (void)std::from_chars(begin, end, exponent_);
  exponent_ -= static_cast<int>(count_) - 1;
}

std::string_view Speller::spell(std::int64_t value, int scale) {
  const auto word = static_cast<std::uint64_t>(value);
  return spell(std::span(&word, 1), scale);
}

std::string_view Speller::spell(std::uint64_t value) {
  const std::uint64_t words[] = {value, 0};
  return spell(words, 0);
}

std::string_view Speller::spell(std::span<const std::uint64_t> words, int scale) {
  std::array<std::uint64_t, kMostWords> held{};
  std::copy_n(words.begin(), std::min(words.size(), kMostWords), held.begin());
  const std::span<std::uint64_t> number(held.data(), std::min(words.size(), kMostWords));
  const bool negative = static_cast<std::int64_t>(number.back()) < 0;
  if (negative) negate(number);
  char* begin = memory_.data() + kDigitsEnd;
  const auto left = [&] { return std::any_of(number.begin(), number.end(), [](auto w) { return w != 0; }); };
  while (left()) {
    std::uint64_t digits = divide(number);
    for (int i = 0; i < 18 && (digits != 0 || left()); ++i, digits /= 10)
      *--begin = static_cast<char>('0' + digits % 10);
  }
  return finish(begin, negative, scale);
}

std::string_view Speller::finish(char* begin, bool negative, int scale) {
  char* end = memory_.data() + kDigitsEnd;
  if (begin == end) return "0";
  for (; scale < 0; ++scale) *end++ = '0';
  while (scale > 0 && end[-1] == '0') {
    --end;
    --scale;
  }
  if (scale > 0) {
    while (end - begin <= scale) *--begin = '0';
    std::memmove(end - scale + 1, end - scale, static_cast<std::size_t>(scale));
    end[-scale] = '.';
    ++end;
  }
  if (negative) *--begin = '-';
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view Speller::spell(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  const ShortestDecimal decimal(value);
  char* const begin = memory_.data() + kDigitsEnd - decimal.digits().size();
  std::copy(decimal.digits().begin(), decimal.digits().end(), begin);
  return finish(begin, value < 0, -decimal.exponent());
}

}  // namespace postern::owner
