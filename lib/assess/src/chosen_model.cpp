#include "chosen_model.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/infer/event.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/round_fit.hpp"

namespace postern::assess {
namespace {

/// Some columns at their first levels, the others anywhere.
infer::Event at_first_levels(const model::Study& study, const std::vector<std::string>& columns) {
  infer::Event event;
  for (const std::string& name : model::columns_of(study.model)) {
    std::vector<bool>& levels = event.levels.emplace_back();
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) continue;
    levels.assign(study.schema.at(name).levels(), false);
    levels.front() = true;
  }
  return event;
}

/// The true parameters as a posterior of one draw.
infer::Posterior certain(const model::Study& truth, const std::vector<double>& theta) {
  infer::Posterior out;
  for (const model::Parameter& one : truth.model.kind().parameters(truth)) out.names.push_back(one.name);
  out.chains = 1;
  out.iterations = 1;
  out.draws = {theta};
  return out;
}

std::vector<double> probabilities(const infer::Event& event, const model::Study& study,
                                  const infer::Posterior& posterior) {
  const infer::EventMass mass = infer::kind_of(study.model).event_mass(event, study, posterior);
  std::vector<double> out;
  for (std::size_t i = 0; i < posterior.iterations; ++i)
    out.push_back(mass({posterior.draws[0], posterior.iterations, i}));
  return out;
}

}  // namespace

const model::SettlesModel* chooses(const model::Study& study, const model::NoisePlan& plan) {
  return dynamic_cast<const model::SettlesModel*>(study.model.kind().round_rule(study, plan.request));
}

std::vector<model::Parameter> chosen_quantities(const model::Study& study) {
  std::vector<model::Parameter> out{
      {"pair", "P(both at their first levels), of two columns that were chosen together"}};
  for (const std::string& name : model::columns_of(study.model))
    out.push_back({"first." + std::to_string(out.size()), "P(" + name + " = its first level)"});
  return out;
}

ChosenStudy simulate_chosen(const model::Study& study, const model::NoisePlan& plan,
                            std::optional<std::int64_t> n, Rng& rng) {
  std::optional<model::Model> model = chooses(study, plan)->drawn(study, rng);
  if (!model) {
    throw Error(ErrorCode::unsupported,
                {"a network that is chosen adaptively is not calibrated: those that it may choose have no "
                 "prior in common to draw a truth from; calibrate a tree, or declare cliques"});
  }
  ChosenStudy out{study, {}};
  out.truth.model = std::move(*model);
  out.made = simulate_choosing(study, out.truth, plan, n, rng, infer::round_fit(study));
  return out;
}

std::vector<TruthAndDraws> chosen_draws(const ChosenStudy& chosen, const infer::Posterior& posterior) {
  const model::Study settled = release::settled(chosen.made.release).study;
  const infer::Posterior truth = certain(chosen.truth, chosen.made.theta());
  std::vector<TruthAndDraws> out;
  const auto add = [&](const std::vector<std::string>& columns) {
    const infer::Event event = at_first_levels(settled, columns);
    out.push_back(
        {probabilities(event, chosen.truth, truth).front(), probabilities(event, settled, posterior)});
  };
  const auto tables = infer::kind_of(settled.model).public_tables(settled);
  add(*std::max_element(tables.begin(), tables.end(),
                        [](const auto& a, const auto& b) { return a.size() < b.size(); }));
  for (const std::string& name : model::columns_of(settled.model)) add({name});
  return out;
}

}  // namespace postern::assess
