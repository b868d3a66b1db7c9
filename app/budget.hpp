#pragma once

#include <optional>
#include <string>

#include "postern/core/units.hpp"
#include "postern/model/measurement.hpp"

#include "command.hpp"

namespace postern::app {

/// --epsilon, --rho and --mechanism, as plan, release and audit share them.
struct BudgetOptions {
  std::optional<std::string> epsilon;
  std::optional<std::string> rho;
  std::optional<std::string> mechanism;

  void declare(Command& command);
};

/// The noise plan these options ask of a study. Throws usage (neither or both given), bad_budget (zero,
/// malformed or absurd), currency_mismatch, bad_option (a mechanism we do not have).
[[nodiscard]] model::NoisePlan make_plan(const BudgetOptions& options, const model::Study& study);

/// An amount of --budget, --epsilon or --rho that protects someone. Throws bad_budget.
[[nodiscard]] Spend parse_amount(Currency currency, const std::string& option, const std::string& text);

}  // namespace postern::app
