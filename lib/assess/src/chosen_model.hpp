#pragma once

#include <vector>

#include "postern/assess/simulate.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/settles.hpp"

namespace postern::assess {

// Studies whose release chooses the model have no parameters before that. What they can be asked whatever is
// chosen are probabilities of records.

/// The rule that chooses, if there is one.
[[nodiscard]] const model::SettlesModel* chooses(const model::Study& study, const model::NoisePlan& plan);

/// How likely two columns that the release put together are at their first levels, and each column alone.
[[nodiscard]] std::vector<model::Parameter> chosen_quantities(const model::Study& study);

/// A study made up from a model that may be chosen. Throws unsupported where these have no prior.
struct ChosenStudy {
  model::Study truth;
  SimulatedStudy made;
};
[[nodiscard]] ChosenStudy simulate_chosen(const model::Study& study, const model::NoisePlan& plan,
                                          std::optional<std::int64_t> n, Rng& rng);

/// A quantity as it is, and its draws.
struct TruthAndDraws {
  double truth = 0;
  std::vector<double> draws;
};
/// In the order of chosen_quantities.
[[nodiscard]] std::vector<TruthAndDraws> chosen_draws(const ChosenStudy& chosen,
                                                      const infer::Posterior& posterior);

}  // namespace postern::assess
