#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/units.hpp"
#include "postern/model/plan.hpp"

namespace postern::model {

/// What is to be spent on a study and how, as people write it.
struct BudgetRequest {
  std::optional<std::string> epsilon;
  std::optional<std::string> rho;
  std::optional<std::string> mechanism;
  std::vector<std::string> shares = {};  ///< "sum=2": blocks and their shares
};

/// The noise plan that is asked of a study. Throws usage (neither or both of epsilon and rho), bad_budget
/// (zero, malformed or absurd), currency_mismatch, bad_option (a mechanism or block we do not have).
[[nodiscard]] NoisePlan plan_for(const BudgetRequest& request, const Study& study);

/// An amount that protects someone; `what` names it in a refusal ("epsilon", "budget"). Throws bad_budget.
[[nodiscard]] Spend parse_amount(Currency currency, std::string_view what, std::string_view text);

/// So much that the guarantee it buys is weak.
[[nodiscard]] bool is_large(const Spend& amount);

}  // namespace postern::model
