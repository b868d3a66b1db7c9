#include "infer.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/regression/chain.hpp"

#include "kinds/plug_in.hpp"
#include "learned.hpp"
#include "natural.hpp"
#include "noise_check/noise_watch.hpp"
#include "posterior/draw_summary.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"
#include "prior_warning.hpp"
#include "problem.hpp"
#include "warnings/scale_prior.hpp"

namespace postern::infer {
namespace {

constexpr double kApart = 0.5;           // autocorrelation times between draws: 4 x 1000 count for some 2000
constexpr double kManyOutside = 0.01;    // from here on intervals of coefficients may be too narrow,
constexpr double kManyDeviations = 0.5;  // and are where clamping moves one by as many of its own sds

/// What is inferred from.
struct Question {
  const release::RecordSet& releases;
  const model::Study& study;
  RegressionProblem problem;
};

/// `least`: the fewest records that the engine takes.
Posterior start(const Question& question, std::size_t least, const InferOptions& options) {
  return start_posterior(question.study,
                         {{question.study.dataset, question.problem.total, static_cast<std::int64_t>(least)}},
                         options);
}

/// The chains' coefficients in the study's units, without what comes after n. Returns the mean share outside.
double to_natural(ChainRun& run, const Question& question, std::size_t draws) {
  const RegressionQuantities at(question.problem);
  const double outside = mean_quantity(run, at.outside, draws);
  take_natural_units(run, question.study, draws);
  for (std::vector<double>& chain : run.draws) chain.resize(at.outside * draws);
  return outside;
}

/// The most standard deviations by which clamping moves a slope or sigma: each loses about the share that
/// is clamped.
double clamping_bias(const Posterior& out, std::size_t coefficients, double outside) {
  double most = 0;
  for (std::size_t q = 1; q <= coefficients && q < out.names.size(); ++q) {
    const SummaryRow row = summarise_draws(out, q, DrawKind::independent);
    most = std::max(most, outside * std::abs(row.mean) / row.sd);
  }
  return most;
}

void warn_of_clamping(Posterior& out, const Question& question, double outside) {
  const std::size_t sigma = RegressionQuantities(question.problem).sigma;
  if (outside <= kManyOutside || clamping_bias(out, sigma, outside) <= kManyDeviations) return;
  const std::string share = std::to_string(std::lround(std::ceil(100 * outside)));
  const std::string& target = question.study.model.get<model::LinearRegression>().target;
  out.warnings.push_back(
      {"target-clamped",
       "if '" + target + "' is normal around the line, about " + share +
           " % of the records have it at or beyond its declared bounds, where it is clamped: then slopes and "
           "sd are too small by about as much, and their intervals too narrow; if values reach beyond these "
           "bounds, declare wider ones for the next release"});
}

Posterior infer_moments(const Question& question, const std::string& why, const InferOptions& options,
                        const Conversation& conversation) {
  Posterior out = start(question, question.problem.width(), options);
  NoiseWatch watch({question.releases}, out, options);
  DriverOptions driver = driver_for(out, options, "moments");
  driver.latents = watch.for_chains();
  ChainRun run = draw_regression(question.problem, driver, conversation);
  watch.tell(out);
  const double outside = to_natural(run, question, out.iterations);
  take_chains(out, std::move(run), "moments", why, options);
  warn_of_clamping(out, question, outside);
  if (auto warning = sigma_prior_warning(out, question.problem.prior, question.study))
    out.warnings.push_back(std::move(*warning));
  if (const auto* known = std::get_if<KnownTotal>(&question.problem.total);
      known != nullptr && known->n < static_cast<std::int64_t>(question.problem.width()))
    out.notes.emplace_back("fewer records than coefficients: the prior says most of what is known");
  return out;
}

/// Does the study's prior learn its scales, and are there records enough?
bool learns(const Question& question, const InferOptions& options) {
  if (options.prior || !question.study.model.get<model::LinearRegression>().learned) return false;
  const auto* known = std::get_if<KnownTotal>(&question.problem.total);
  return known == nullptr || known->n >= static_cast<std::int64_t>(question.problem.width()) + 1;
}

Posterior infer_learned(const Question& question, const InferOptions& options,
                        const Conversation& conversation) {
  const ScatterProblem problem = learned_problem(question.problem, question.study, options.prior_scale);
  Posterior out = start(question, least_records(problem), options);
  NoiseWatch watch({question.releases}, out, options);
  DriverOptions driver = driver_for(out, options, "moments");
  driver.latents = watch.for_chains();
  driver.apart = kApart;
  MomentRun run = draw_learned_regression(problem, driver, conversation);
  watch.tell(out);
  const std::vector<Warning> hidden = hidden_warnings(run.chains, problem, question.study, out.iterations);
  const std::string note = hidden_features_note(run, question.study);
  const LearnedRegressionQuantities at(problem);
  const auto others = half_and_twice(run.chains, at.half_scale, at.twice_scale, out.iterations);
  const double outside = to_natural(run.chains, question, out.iterations);
  take_chains(out, std::move(run.chains), "moments",
              "chains on the latent sums of products and on the scales of their prior", options);
  warn_of_clamping(out, question, outside);
  out.warnings.insert(out.warnings.end(), hidden.begin(), hidden.end());
  if (auto warning = scale_prior_warning(out, others)) out.warnings.push_back(std::move(*warning));
  if (!note.empty()) out.notes.push_back(note);
  return out;
}

Posterior infer_naive(const Question& question, const InferOptions& options,
                      const Conversation& conversation) {
  Posterior out = start(question, question.problem.width(), options);
  ChainRun run = draw_plug_in_regression(question.problem, driver_for(out, options, "naive"), conversation);
  (void)to_natural(run, question, out.iterations);
  out.draws = std::move(run.draws);
  out.engine = "naive";
  out.reason = "asked for; it takes the noisy sums, drawn in to what records can add up to, for the truth";
  out.warnings.push_back(naive_warning());
  for (std::size_t q = 0; options.summarise && q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
  return out;
}

}  // namespace

Posterior infer_regression(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                           const Conversation& conversation) {
  if (sets.size() > 1) {
    throw Error(ErrorCode::unsupported,
                {"releases of several datasets cannot be combined for a regression yet; infer from each "
                 "dataset alone"});
  }
  const Question question{sets.front(), sets.front().front()->study,
                          make_regression_problem(sets.front(), options)};
  switch (options.engine) {
    case EngineChoice::automatic:
      if (learns(question, options)) return infer_learned(question, options, conversation);
      return infer_moments(question, "chains on the latent sums of products, all else integrated out",
                           options, conversation);
    case EngineChoice::moments:
      if (learns(question, options)) return infer_learned(question, options, conversation);
      return infer_moments(question, "asked for", options, conversation);
    case EngineChoice::naive:
      return infer_naive(question, options, conversation);
    default:  // engines of other kinds
      break;
  }
  throw Error(ErrorCode::engine_unsuitable,
              {"a linear regression is inferred by its sums of products: no other engine knows their law"});
}

}  // namespace postern::infer
