#include "postern/core/error.hpp"
#include "postern/model/measurement.hpp"

namespace postern::model {
namespace {

/// With n public a binary column needs one count; the other is n minus it, and the sensitivity halves (A16).
std::vector<Statistic> statistics_of(const Bernoulli& model, Adjacency adjacency) {
  if (adjacency == Adjacency::replace_one) return {LevelCount{model.column, model.success}};
  return {Table{{model.column}}};
}

std::vector<Statistic> statistics_of(const Categorical& model, Adjacency /*adjacency*/) {
  return {Table{model.columns}};
}

}  // namespace

Mechanism default_mechanism(Currency currency) {
  return currency == Currency::pure ? Mechanism::laplace : Mechanism::gaussian;
}

NoisePlan make_noise_plan(const Study& study, Mechanism mechanism, const Spend& budget) {
  if (budget.currency() != study.privacy.currency) {
    throw Error(ErrorCode::currency_mismatch,
                {"the study is paid in ", from_study(unit_name(study.privacy.currency)), ", not in ",
                 from_study(unit_name(budget.currency()))});
  }
  if (mechanism != default_mechanism(study.privacy.currency)) {
    throw Error(ErrorCode::currency_mismatch,
                {"mechanism ", from_study(to_text(mechanism)), " does not go with currency ",
                 from_study(to_text(study.privacy.currency)),
                 "; laplace is paid in epsilon (pure), gaussian in rho (zcdp)"});
  }
  if (budget.nano() <= 0) throw Error(ErrorCode::bad_budget, {"the amount of privacy must be positive"});
  NoisePlan plan;
  plan.mechanism = mechanism;
  const NoiseKind kind =
      mechanism == Mechanism::laplace ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian;
  for (Statistic& statistic :
       std::visit([&](const auto& m) { return statistics_of(m, study.privacy.adjacency); }, study.model)) {
    const std::size_t size = statistic_size(statistic, study.schema);
    plan.measurement.blocks.push_back({std::move(statistic), {kind, 1}, size});
  }
  // At unit noise (lambda = 1, sigma^2 = 1) the cost is Delta_1, or Delta_2^2 / 2: scale to meet the budget
  // exactly.
  const Rational at_unit_noise = cost(plan.measurement, study.schema, study.privacy);
  const Rational parameter = mechanism == Mechanism::laplace ? Rational(budget.exact() / at_unit_noise)
                                                             : Rational(at_unit_noise / budget.exact());
  for (Block& block : plan.measurement.blocks) block.noise.parameter = parameter;
  plan.cost = Spend::ceil(study.privacy.currency, cost(plan.measurement, study.schema, study.privacy));
  return plan;
}

}  // namespace postern::model
