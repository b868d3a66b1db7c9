#include "postern/core/number_text.hpp"

#include <algorithm>
#include <string>

namespace postern {
namespace {

constexpr unsigned long kMostDigits = 30;  // before the point, as parse_decimal's

Integer power_of_ten(unsigned long exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

/// 10^exponent, of at most three digits; nothing for other text.
std::optional<Rational> parse_power_of_ten(std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > 3 || !digits) return std::nullopt;
  const Integer power = power_of_ten(std::stoul(std::string(text)));
  return minus ? Rational(Integer(1), power) : Rational(power);
}

}  // namespace

std::optional<Rational> parse_number(std::string_view text, int places) {
  const std::size_t e = text.find_first_of("eE");
  std::string mantissa(text.substr(0, e));
  const std::size_t first = mantissa.starts_with('-') ? 1 : 0;
  if (mantissa.substr(first).starts_with('.')) mantissa.insert(first, 1, '0');
  auto digits = parse_decimal(mantissa, places);
  if (!digits || e == std::string_view::npos) return digits;
  const auto power = parse_power_of_ten(text.substr(e + 1));
  if (!power) return std::nullopt;
  const Rational value = *digits * *power;
  const Rational scaled = value * power_of_ten(static_cast<unsigned long>(places));
  if (scaled.get_den() != 1 || abs(value) >= power_of_ten(kMostDigits)) return std::nullopt;
  return value;
}

}  // namespace postern
