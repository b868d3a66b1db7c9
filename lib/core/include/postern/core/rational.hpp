#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <gmpxx.h>

namespace postern {

/// Exact rationals. Nothing about privacy is ever parsed through a double.
using Integer = mpz_class;
using Rational = mpq_class;

/// "12", "-0.125", up to `places` decimals; no exponent, no sign '+', no spaces.
[[nodiscard]] std::optional<Rational> parse_decimal(std::string_view text, int places = 9);
/// Canonical fraction "s/t" in lowest terms with t > 1, or an integer "s". At most 60 digits each.
[[nodiscard]] std::optional<Rational> parse_fraction(std::string_view text);
/// "37/1000", or "5" for an integer: the inverse of parse_fraction.
[[nodiscard]] std::string to_fraction(const Rational& value);
/// Exact decimal where one exists within `places`, otherwise the fraction.
[[nodiscard]] std::string to_decimal(const Rational& value, int places = 9);
[[nodiscard]] Integer floor(const Rational& value);
[[nodiscard]] Integer ceil(const Rational& value);

}  // namespace postern
