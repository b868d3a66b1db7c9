#include "count_text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace postern::owner {
namespace {

/// What stands around numbers or between their thousands; the last four are wider than a byte.
constexpr std::array<std::string_view, 5> kBlanks = {" ", "\t", "\u00A0", "\u2009", "\u202F"};
constexpr std::array<std::string_view, 6> kSeparators = {",", "'", " ", "\u00A0", "\u202F", "\u2019"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool all_digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

std::string_view trimmed(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view blank : kBlanks) {
      if (text.starts_with(blank)) {
        text.remove_prefix(blank.size());
        again = true;
      }
      if (text.ends_with(blank)) {
        text.remove_suffix(blank.size());
        again = true;
      }
    }
  }
  return text;
}

/// True if a sign stood there and was a minus.
bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return false;
  const bool minus = text.front() == '-';
  text.remove_prefix(1);
  return minus;
}

/// The digits of 1,234,567 (or of 12,34,567); nothing if the groups are of other sizes.
std::optional<std::string> without_separators(std::string_view text) {
  std::size_t taken = 0;
  while (taken < text.size() && is_digit(text[taken])) ++taken;
  std::string digits(text.substr(0, taken));
  text.remove_prefix(taken);
  if (text.empty()) return digits;
  if (taken == 0 || taken > 3) return std::nullopt;
  const auto* const separator = std::find_if(kSeparators.begin(), kSeparators.end(),
                                             [&](std::string_view one) { return text.starts_with(one); });
  if (separator == kSeparators.end()) return std::nullopt;
  while (!text.empty()) {
    if (!text.starts_with(*separator)) return std::nullopt;
    text.remove_prefix(separator->size());
    const std::string_view group = text.substr(0, text.find(*separator));
    text.remove_prefix(group.size());
    const bool right_size = group.size() == 3 || (group.size() == 2 && !text.empty());
    if (!right_size || !all_digits(group)) return std::nullopt;
    digits += group;
  }
  return digits;
}

/// The number behind an e; one that is far away is as good as any other that is.
std::optional<std::int64_t> parse_exponent(std::string_view text) {
  constexpr std::int64_t kFar = 1'000'000'000;
  const bool minus = take_sign(text);
  if (text.empty() || !all_digits(text)) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) value = std::min(kFar, value * 10 + (c - '0'));
  return minus ? -value : value;
}

/// digits times 10^scale, if that is whole and not too large.
std::optional<std::int64_t> whole_number(std::string_view digits, std::int64_t scale) {
  constexpr std::int64_t kMostDigits = 13;
  while (digits.starts_with('0')) digits.remove_prefix(1);
  if (digits.empty()) return 0;
  for (; digits.ends_with('0'); ++scale) digits.remove_suffix(1);
  if (scale < 0 || static_cast<std::int64_t>(digits.size()) + scale > kMostDigits) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  for (; scale > 0; --scale) value *= 10;
  if (value > kMostCounted) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> parse_count(std::string_view text) {
  text = trimmed(text);
  const bool minus = take_sign(text);
  const std::size_t e = text.find_first_of("eE");
  const auto exponent =
      e == std::string_view::npos ? std::optional<std::int64_t>(0) : parse_exponent(text.substr(e + 1));
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = mantissa.find('.');
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : mantissa.substr(point + 1);
  const auto whole = without_separators(mantissa.substr(0, point));
  if (!exponent || !whole || !all_digits(fraction) || (whole->empty() && fraction.empty()))
    return std::nullopt;
  const auto value =
      whole_number(*whole + std::string(fraction), *exponent - static_cast<std::int64_t>(fraction.size()));
  if (minus && value != 0) return std::nullopt;
  return value;
}

}  // namespace postern::owner
