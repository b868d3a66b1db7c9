#pragma once

#include "postern/model/budget.hpp"
#include "postern/model/plan.hpp"

#include "command.hpp"

namespace postern::app {

/// --epsilon, --rho and --mechanism, as plan, release and audit share them.
struct BudgetOptions : model::BudgetRequest {
  void declare(Command& command);
};

/// The noise plan these options ask of a study, with a warning when it buys little. Throws what plan_for
/// throws.
[[nodiscard]] model::NoisePlan make_plan(const BudgetOptions& options, const model::Study& study);

}  // namespace postern::app
