#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "postern/core/rational.hpp"

namespace postern {

/// What a dataset's budget is counted in: epsilon (pure DP) or rho (zero-concentrated DP).
enum class Currency { pure, zcdp };
[[nodiscard]] std::string_view to_text(Currency currency);    // "pure", "zcdp"
[[nodiscard]] std::string_view unit_name(Currency currency);  // "epsilon", "rho"
[[nodiscard]] std::optional<Currency> parse_currency(std::string_view text);

/// An amount of privacy loss in whole nano-units of one currency: 10 x "0.1" is exactly 1.
/// Costs are rounded up into it, budgets down.
class Spend {
 public:
  Spend(Currency currency, std::int64_t nano) : currency_(currency), nano_(nano) {}
  /// "0.1", ".1", "1e-1": at most nine digits before and nine after the point. Throws bad_budget.
  static Spend parse(Currency currency, std::string_view text);
  static Spend ceil(Currency currency, const Rational& amount);  // a cost; throws bad_budget past 9.2e9 units
  static Spend floor(Currency currency, const Rational& amount);  // a budget
  [[nodiscard]] Currency currency() const { return currency_; }
  [[nodiscard]] std::int64_t nano() const { return nano_; }
  [[nodiscard]] Rational exact() const;
  [[nodiscard]] std::string text() const;  // "0.1"
  friend bool operator==(const Spend&, const Spend&) = default;

 private:
  Currency currency_;
  std::int64_t nano_;
};

}  // namespace postern
