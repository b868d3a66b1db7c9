#include "study/encode/decimal.hpp"

#include <algorithm>
#include <string>

namespace postern::model {
namespace {

// Far past every bound and every line length; sums of two such numbers are still exact.
constexpr std::int64_t kFar = 1'000'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

/// The number behind the `e`, pinned to +-kFar.
std::optional<std::int64_t> parse_exponent(std::string_view text) {
  const bool negative = take_sign(text);
  if (text.empty() || skip_digits(text, 0) != text.size()) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) value = std::min(kFar, value * 10 + (c - '0'));
  return negative ? -value : value;
}

/// Sign of y - bound for y = |x| and bound > 0: the digits of y against the long division of the bound.
int compare_magnitude(const Decimal& y, const Rational& bound) {
  if (y.zero()) return -1;
  const Integer& divisor = bound.get_den();
  // 10^(point-1) <= y < 10^point, and 1/divisor <= bound <= numerator.
  if (y.point() > static_cast<std::int64_t>(mpz_sizeinbase(bound.get_num_mpz_t(), 10))) return 1;
  if (y.point() < -static_cast<std::int64_t>(mpz_sizeinbase(divisor.get_mpz_t(), 10))) return -1;
  std::string text = "0";
  for (std::int64_t i = 0; i < y.point(); ++i) {
    text += static_cast<char>('0' + y.digit(static_cast<std::size_t>(i)));
  }
  Integer quotient;
  Integer rest;
  mpz_fdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), bound.get_num_mpz_t(), divisor.get_mpz_t());
  if (const int order = cmp(Integer(text, 10), quotient); order != 0) return order < 0 ? -1 : 1;
  for (std::int64_t i = y.point(); i < static_cast<std::int64_t>(y.count()); ++i) {
    if (rest == 0) return 1;
    rest *= 10;
    mpz_fdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), rest.get_mpz_t(), divisor.get_mpz_t());
    const unsigned long digit = i < 0 ? 0 : y.digit(static_cast<std::size_t>(i));
    if (quotient != digit) return quotient < digit ? 1 : -1;
  }
  return rest == 0 ? 0 : -1;
}

}  // namespace

std::optional<Decimal> Decimal::parse(std::string_view text) {
  Decimal number;
  number.negative_ = take_sign(text);
  const std::size_t dot = skip_digits(text, 0);
  std::size_t end = dot;
  if (end < text.size() && text[end] == '.') end = skip_digits(text, end + 1);
  if (end == 0 || (dot == 0 && end == 1)) return std::nullopt;
  std::int64_t exponent = 0;
  if (end < text.size()) {
    if (text[end] != 'e' && text[end] != 'E') return std::nullopt;
    const auto parsed = parse_exponent(text.substr(end + 1));
    if (!parsed) return std::nullopt;
    exponent = *parsed;
  }
  const std::string_view mantissa = text.substr(0, end);
  const auto counts = [](char c) { return c != '0' && c != '.'; };
  const auto first_place = std::find_if(mantissa.begin(), mantissa.end(), counts);
  if (first_place == mantissa.end()) return number;
  const auto first = static_cast<std::size_t>(first_place - mantissa.begin());
  const auto behind_last = std::find_if(mantissa.rbegin(), mantissa.rend(), counts).base();
  const auto last = static_cast<std::size_t>(behind_last - mantissa.begin()) - 1;
  number.digits_ = mantissa.substr(first, last - first + 1);
  const bool dot_inside = first < dot && dot < last;
  number.gap_ = dot_inside ? dot - first : number.digits_.size();
  number.count_ = number.digits_.size() - (dot_inside ? 1 : 0);
  const auto place = static_cast<std::int64_t>(dot) - static_cast<std::int64_t>(first);
  number.point_ = place + (first > dot ? 1 : 0) + exponent;
  return number;
}

int compare(const Decimal& x, const Rational& bound) {
  const int side = sgn(bound);
  if (side == 0) return x.zero() ? 0 : (x.negative() ? -1 : 1);
  const bool negative = x.negative() && !x.zero();
  if (negative != (side < 0)) return negative ? -1 : 1;
  return side < 0 ? -compare_magnitude(x, -bound) : compare_magnitude(x, bound);
}

std::optional<ShortNumber> parse_short(std::string_view text) {
  const std::size_t size = text.size();
  const bool negative = size > 0 && text[0] == '-';
  ShortNumber number;
  std::uint64_t digits = 0;  // may wrap; then there are too many of them and the result is not used
  std::size_t count = 0;
  bool point = false;
  if (size > kShortDigits + 2) return std::nullopt;
  for (std::size_t i = negative ? 1 : 0; i < size; ++i) {
    const auto digit = static_cast<unsigned>(text[i]) - '0';
    if (digit <= 9) {
      digits = digits * 10 + digit;
      number.places += point ? 1 : 0;
      ++count;
    } else if (text[i] == '.' && !point) {
      point = true;
    } else {
      return std::nullopt;
    }
  }
  if (count == 0 || count > kShortDigits) return std::nullopt;
  number.digits = negative ? -static_cast<std::int64_t>(digits) : static_cast<std::int64_t>(digits);
  return number;
}

int parse_infinity(std::string_view text) {
  const bool negative = take_sign(text);
  std::string lower(text.substr(0, 9));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (lower != "inf" && lower != "infinity") return 0;
  return negative ? -1 : 1;
}

}  // namespace postern::model
