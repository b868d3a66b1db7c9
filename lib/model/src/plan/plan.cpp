#include "postern/model/plan.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/noise_limits.hpp"
#include "postern/model/rounds.hpp"

namespace postern::model {

Mechanism default_mechanism(const Study& study) { return study.model.kind().mechanisms(study).front(); }

NoisePlan make_noise_plan(const Study& study, const Request& request, const Spend& budget) {
  if (budget.currency() != study.privacy.currency) {
    throw Error(ErrorCode::currency_mismatch,
                {"the study is paid in ", from_study(unit_name(study.privacy.currency)), ", not in ",
                 from_study(unit_name(budget.currency()))});
  }
  const std::vector<Mechanism> offered = study.model.kind().mechanisms(study);
  if (std::find(offered.begin(), offered.end(), request.mechanism) == offered.end()) {
    throw Error(ErrorCode::currency_mismatch,
                {"mechanism ", from_study(to_text(request.mechanism)), " does not go with currency ",
                 from_study(to_text(study.privacy.currency)),
                 " and this model; laplace is paid in epsilon (pure), gaussian in rho (zcdp); quantiles take "
                 "exponential, networks also fourier, posterior-draw and map"});
  }
  if (budget.nano() <= 0) throw Error(ErrorCode::bad_budget, {"the amount of privacy must be positive"});
  NoisePlan plan;
  plan.request = request;
  if (const RoundRule* rule = study.model.kind().round_rule(study, request)) {
    plan.rounds = RoundsPlan{std::string(rule->name()), rule->at_most(study, request)};
    plan.measurement = next_round(study, request, budget, {}).value_or(Measurement{});
    plan.cost = budget;
    return plan;
  }
  plan.measurement.blocks = study.model.kind().design(study, request, budget.exact());
  for (Block& block : plan.measurement.blocks) block.noise = writable_noise(block.noise);
  plan.cost = Spend::ceil(study.privacy.currency, cost(plan.measurement, study.schema, study.privacy));
  return plan;
}

NoisePlan make_noise_plan(const Study& study, Mechanism mechanism, const Spend& budget) {
  return make_noise_plan(study, Request{mechanism, {}}, budget);
}

}  // namespace postern::model
