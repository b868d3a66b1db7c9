#include "infer.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/glm/chain.hpp"
#include "postern/model/kinds/generalised_linear.hpp"

#include "noise_check/noise_watch.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

constexpr double kLargeError = 0.25;  // of the slopes: from here on the series says little

/// The chains' coefficients in the study's units, without the error, whose mean is returned.
double to_natural(ChainRun& run, const GlmProblem& problem, const model::Study& study, std::size_t draws) {
  const GlmQuantities at(problem);
  const auto& model = study.model.get<model::GeneralisedLinear>();
  std::vector<double> theta(at.coefficients);
  double error = 0;
  for (std::vector<double>& chain : run.draws) {
    for (std::size_t i = 0; i < draws; ++i) {
      for (std::size_t q = 0; q < at.coefficients; ++q) theta[q] = chain[q * draws + i];
      error += chain[at.error * draws + i];
      const std::vector<double> natural = model::natural_coefficients(theta, model, study.schema);
      for (std::size_t q = 0; q < natural.size(); ++q) chain[q * draws + i] = natural[q];
    }
    chain.resize(at.error * draws);
  }
  return std::abs(error) / static_cast<double>(draws * run.draws.size());
}

std::string percent(double share) { return std::to_string(std::lround(std::ceil(100 * share))) + " %"; }

/// What the approximation costs, always; loudly where its estimate is no longer good for much.
void tell_error(Posterior& out, double error) {
  out.notes.push_back(
      "features are taken to be normal together: with columns that are spread over their ranges, and "
      "categories as they are, slopes may be off by about " +
      percent(error) + " of themselves, and their intervals are wider by what is expected of that");
  if (error <= kLargeError) return;
  out.warnings.push_back(
      {"features-not-normal",
       "the predictor is far from normal, as one strong category or one skewed column makes "
       "it, and slopes may be off by more than their intervals say; their signs, and which "
       "answer is the more probable one, are safer than their sizes"});
}

}  // namespace

Posterior infer_glm(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                    const Conversation& conversation) {
  if (sets.size() > 1) {
    throw Error(ErrorCode::unsupported,
                {"releases of several datasets cannot be combined for a regression yet; infer from each "
                 "dataset alone"});
  }
  if (options.engine != EngineChoice::automatic && options.engine != EngineChoice::moments) {
    throw Error(ErrorCode::engine_unsuitable,
                {"this regression is inferred by its sums of products: no other engine knows their law"});
  }
  const model::Study& study = sets.front().front()->study;
  const GlmProblem problem = make_glm_problem(sets.front(), options);
  std::vector<std::string> names;
  std::vector<std::string> labels;
  for (model::Parameter& one : study.model.kind().parameters(study)) {
    names.push_back(std::move(one.name));
    labels.push_back(std::move(one.label));
  }
  Posterior out =
      start_posterior(std::move(names), std::move(labels), {{study.dataset, problem.sums.total}}, options);
  NoiseWatch watch(sets, out, options);
  DriverOptions driver = driver_for(out, options, "moments");
  driver.latents = watch.for_chains();
  ChainRun run = draw_glm(problem, driver, conversation);
  watch.tell(out);
  const double error = to_natural(run, problem, study, out.iterations);
  take_chains(out, std::move(run), "moments", "chains on the coefficients and the latent sums of products",
              options);
  if (const auto* known = std::get_if<KnownTotal>(&problem.sums.total);
      known != nullptr && known->n < static_cast<std::int64_t>(problem.sums.width())) {
    out.notes.emplace_back("there are fewer records than coefficients: this is the prior");
    return out;
  }
  tell_error(out, error);
  return out;
}

}  // namespace postern::infer
