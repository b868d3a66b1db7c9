#include "infer.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/glm/chain.hpp"
#include "postern/model/kinds/generalised_linear.hpp"

#include "learned.hpp"
#include "noise_check/noise_watch.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"
#include "warnings/scale_prior.hpp"

namespace postern::infer {
namespace {

constexpr double kApart = 0.5;        // autocorrelation times between draws: 4 x 1000 count for some 2000
constexpr double kLargeError = 0.25;  // of the slopes: from here on the series says little

/// The chains' coefficients in the study's units, without the error, whose mean is returned, and what comes
/// behind it.
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

/// Does the study's prior learn its scales, and are there records enough?
bool learns(const GlmProblem& problem, const model::Study& study, const InferOptions& options) {
  if (options.prior || !study.model.get<model::GeneralisedLinear>().learned) return false;
  const auto* known = std::get_if<KnownTotal>(&problem.sums.total);
  return known == nullptr || known->n >= static_cast<std::int64_t>(least_records(problem));
}

/// What is inferred from, and what is being made of it.
struct Question {
  const model::Study& study;
  const GlmProblem& problem;
  const DriverOptions& driver;
  const InferOptions& options;
  NoiseWatch& watch;
};

/// Chains under the prior by numbers.
void infer_plain(const Question& question, Posterior& out, const Conversation& conversation) {
  const GlmProblem& problem = question.problem;
  ChainRun run = draw_glm(problem, question.driver, conversation);
  question.watch.tell(out);
  const double error = to_natural(run, problem, question.study, out.iterations);
  take_chains(out, std::move(run), "moments", "chains on the coefficients and the latent sums of products",
              question.options);
  if (const auto* known = std::get_if<KnownTotal>(&problem.sums.total);
      known != nullptr && known->n < static_cast<std::int64_t>(problem.sums.width())) {
    out.notes.emplace_back("there are fewer records than coefficients: this is the prior");
    return;
  }
  tell_error(out, error);
}

void infer_learned(const Question& question, Posterior& out, const Conversation& conversation) {
  MomentRun run = draw_learned_glm(question.problem, question.driver, conversation);
  question.watch.tell(out);
  const std::vector<Warning> hidden =
      hidden_effects(run.chains, question.problem, question.study, out.iterations);
  const std::string note = hidden_spread_note(run, question.study);
  const LearnedGlmQuantities at(question.problem);
  const auto others = half_and_twice(run.chains, at.half_scale, at.twice_scale, out.iterations);
  const double error = to_natural(run.chains, question.problem, question.study, out.iterations);
  take_chains(out, std::move(run.chains), "moments",
              "chains on the coefficients, the latent sums of products and the scales of their prior",
              question.options);
  out.warnings.insert(out.warnings.end(), hidden.begin(), hidden.end());
  if (auto warning = scale_prior_warning(out, others)) out.warnings.push_back(std::move(*warning));
  if (!note.empty()) out.notes.push_back(note);
  tell_error(out, error);
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
  GlmProblem problem = make_glm_problem(sets.front(), options);
  const bool learned = learns(problem, study, options);
  std::vector<std::string> names;
  std::vector<std::string> labels;
  for (model::Parameter& one : study.model.kind().parameters(study)) {
    names.push_back(std::move(one.name));
    labels.push_back(std::move(one.label));
  }
  const NamedTotal total{study.dataset, problem.sums.total,
                         learned ? static_cast<std::int64_t>(least_records(problem)) : 0};
  Posterior out = start_posterior(std::move(names), std::move(labels), {total}, options);
  NoiseWatch watch(sets, out, options);
  DriverOptions driver = driver_for(out, options, "moments");
  driver.latents = watch.for_chains();
  if (learned) driver.apart = kApart;
  const Question question{study, problem, driver, options, watch};
  if (learned) prepare_learned(problem, study, options.prior_scale);
  learned ? infer_learned(question, out, conversation) : infer_plain(question, out, conversation);
  return out;
}

}  // namespace postern::infer
