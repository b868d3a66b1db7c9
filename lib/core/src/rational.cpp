#include "postern/core/rational.hpp"

#include <algorithm>

namespace postern {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A canonical integer of at most 60 digits.
std::optional<Integer> parse_integer(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '-') digits.remove_prefix(1);
  if (!all_digits(digits) || digits.size() > 60) return std::nullopt;
  if (digits.front() == '0' && text.size() > 1) return std::nullopt;
  return Integer(std::string(text), 10);
}

Integer power_of_ten(int exponent) {
  Integer out;
  mpz_ui_pow_ui(out.get_mpz_t(), 10, static_cast<unsigned long>(exponent));
  return out;
}

}  // namespace

std::optional<Rational> parse_decimal(std::string_view text, int places) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  if (!all_digits(whole) || whole.size() > 30) return std::nullopt;
  if (point != std::string_view::npos &&
      (!all_digits(part) || part.size() > static_cast<std::size_t>(places))) {
    return std::nullopt;
  }
  Rational value(Integer(std::string(whole) + std::string(part), 10),
                 power_of_ten(static_cast<int>(part.size())));
  value.canonicalize();
  return negative ? Rational(-value) : value;
}

std::optional<Rational> parse_fraction(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto top = parse_integer(text.substr(0, slash));
  if (!top) return std::nullopt;
  if (slash == std::string_view::npos) return Rational(*top);
  const auto bottom = parse_integer(text.substr(slash + 1));
  if (!bottom || *bottom <= 1) return std::nullopt;
  Rational value(*top, *bottom);
  value.canonicalize();
  if (value.get_den() != *bottom) return std::nullopt;  // not in lowest terms
  return value;
}

std::string to_fraction(const Rational& value) { return value.get_str(); }

std::string to_decimal(const Rational& value, int places) {
  const Rational scaled = value * Rational(power_of_ten(places));
  if (scaled.get_den() != 1) return to_fraction(value);
  std::string digits = Integer(abs(scaled.get_num())).get_str();
  if (digits.size() <= static_cast<std::size_t>(places))
    digits.insert(0, static_cast<std::size_t>(places) + 1 - digits.size(), '0');
  std::string text = digits.substr(0, digits.size() - static_cast<std::size_t>(places)) + "." +
                     digits.substr(digits.size() - static_cast<std::size_t>(places));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return sgn(value) < 0 ? "-" + text : text;
}

Integer floor(const Rational& value) {
  Integer out;
  mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return out;
}

Integer ceil(const Rational& value) {
  Integer out;
  mpz_cdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return out;
}

}  // namespace postern
