#include "postern/core/units.hpp"

#include <algorithm>
#include <string>

#include "postern/core/error.hpp"

namespace postern {
namespace {

constexpr long kNano = 1'000'000'000;

Spend from_integer(Currency currency, const Integer& nano) {
  if (!nano.fits_slong_p()) {
    throw Error(ErrorCode::bad_budget,
                {"the amount of privacy is past 9.2e9; state a budget that protects someone"});
  }
  return {currency, nano.get_si()};
}

/// 10^exponent, of at most three digits; nothing for other text.
std::optional<Rational> parse_power_of_ten(std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > 3 || !digits) return std::nullopt;
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, std::stoul(std::string(text)));
  return minus ? Rational(Integer(1), power) : Rational(power);
}

/// "0.1", ".1" or "1e-1", exactly; nothing if it is no decimal, or none of nine digits before and nine behind
/// the point.
std::optional<Rational> parse_exactly(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  std::string mantissa(text.substr(0, e));
  if (mantissa.starts_with('.')) mantissa.insert(0, 1, '0');
  const auto digits = parse_decimal(mantissa);
  const auto power =
      e == std::string_view::npos ? std::optional<Rational>(1) : parse_power_of_ten(text.substr(e + 1));
  if (!digits || !power) return std::nullopt;
  const Rational value = *digits * *power;
  const Rational nano = value * kNano;
  if (nano.get_den() != 1 || abs(value) >= kNano) return std::nullopt;
  return value;
}

}  // namespace

std::string_view to_text(Currency currency) { return currency == Currency::pure ? "pure" : "zcdp"; }
std::string_view unit_name(Currency currency) { return currency == Currency::pure ? "epsilon" : "rho"; }

std::optional<Currency> parse_currency(std::string_view text) {
  if (text == "pure") return Currency::pure;
  if (text == "zcdp") return Currency::zcdp;
  return std::nullopt;
}

Spend Spend::parse(Currency currency, std::string_view text) {
  const auto value = parse_exactly(text);
  if (!value) {
    throw Error(
        ErrorCode::bad_budget,
        {"'", from_option(text),
         "' is not an amount of privacy; write decimal text such as 0.1, with at most nine decimals"});
  }
  if (sgn(*value) <= 0) {
    throw Error(ErrorCode::bad_budget, {"'", from_option(text), "' is not a positive amount of privacy"});
  }
  return from_integer(currency, Integer(*value * kNano));
}

Spend Spend::ceil(Currency currency, const Rational& amount) {
  return from_integer(currency, postern::ceil(amount * kNano));
}

Spend Spend::floor(Currency currency, const Rational& amount) {
  return from_integer(currency, postern::floor(amount * kNano));
}

Rational Spend::exact() const {
  Rational value(nano_, kNano);
  value.canonicalize();
  return value;
}

std::string Spend::text() const { return to_decimal(exact()); }

}  // namespace postern
