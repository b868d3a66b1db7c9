#include "budget.hpp"

#include "postern/model/plan.hpp"

#include "errors.hpp"

namespace postern::app {

void BudgetOptions::declare(Command& command) {
  command.option("--epsilon", epsilon, "E",
                 "privacy to spend on a study whose currency is pure, such as 0.5");
  command.option("--rho", rho, "R", "privacy to spend on a study whose currency is zcdp, such as 0.1");
  command.repeated(
      "--share", shares, "BLOCK=N",
      "N times the precision for a block of the plan, such as sum=2; for posterior-draw and map draws=K (K "
      "draws, each for a K-th of the budget) and omega=W (a grid from W to 1 - W); may be given several "
      "times");
  command.option("--mechanism", mechanism, "NAME",
                 "laplace (epsilon), gaussian (rho), exponential (quantiles, choices), gradient (logistic "
                 "regression), or for networks fourier, posterior-draw or map; chosen by default");
}

model::NoisePlan make_plan(const BudgetOptions& options, const model::Study& study) {
  model::NoisePlan plan = model::plan_for(options, study);
  if (model::is_large(plan.cost)) {
    warn(std::string(unit_name(plan.cost.currency())) + " " + plan.cost.text() +
         " is large: the guarantee it buys is weak");
  }
  return plan;
}

}  // namespace postern::app
