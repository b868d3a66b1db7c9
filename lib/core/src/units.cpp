#include "postern/core/units.hpp"

#include <string>

#include "postern/core/error.hpp"
#include "postern/core/number_text.hpp"

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

}  // namespace

std::string_view to_text(Currency currency) { return currency == Currency::pure ? "pure" : "zcdp"; }
std::string_view unit_name(Currency currency) { return currency == Currency::pure ? "epsilon" : "rho"; }

std::optional<Currency> parse_currency(std::string_view text) {
  if (text == "pure") return Currency::pure;
  if (text == "zcdp") return Currency::zcdp;
  return std::nullopt;
}

Spend Spend::parse(Currency currency, std::string_view text) {
  const auto value = parse_number(text);
  if (!value || abs(*value) >= kNano) {
    throw Error(ErrorCode::bad_budget, {"'", from_option(text),
                                        "' is not an amount of privacy; write decimal text such as 0.1 or "
                                        "1e-3, with at most nine decimals"});
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
