#include "infer.hpp"

#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/regression/chain.hpp"
#include "postern/model/kinds/wide_components.hpp"

#include "kinds/covariance/draws.hpp"
#include "kinds/linear_regression/problem.hpp"
#include "kinds/plug_in.hpp"
#include "kinds/principal_component/report.hpp"
#include "noise_check/noise_watch.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/named_total.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

RegressionProblem make_problem(const release::RecordSet& releases, const model::WideComponents& model) {
  const std::size_t d = model.columns.size();
  RegressionProblem out;
  out.features = d - 1;
  const model::WishartPrior prior = model::wide_prior(model);
  std::vector<double> scale(d);
  for (std::size_t i = 0; i < d; ++i) scale[i] = prior.scale[i * d + i];
  out.prior = joint_normal_prior(prior.weight, prior.degrees, scale);
  out.loose_scale = prior.loose;
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks)
      add_regression_block(out, block, release->study.schema);
  }
  out.total = total_of(releases);
  return out;
}

Posterior start(std::size_t d, const NamedTotal& total, const InferOptions& options) {
  std::vector<std::string> names;
  for (std::size_t q = 0; q < d * (d + 1) / 2; ++q) names.push_back("covariance." + std::to_string(q + 1));
  std::vector<std::string> labels = names;
  return start_posterior(std::move(names), std::move(labels), {total}, options);
}

/// Draws of the scaled covariance as those of its components.
Posterior told(const Posterior& drawn, const model::Study& study, const model::WideComponents& model,
               DrawKind kind, const InferOptions& options) {
  const std::size_t d = model.columns.size();
  std::vector<model::PrincipalAxes> axes;
  std::vector<double> scaled(d * d);
  for (std::size_t c = 0; c < drawn.chains; ++c) {
    for (std::size_t i = 0; i < drawn.iterations; ++i) {
      for (std::size_t a = 0; a < d; ++a) {
        for (std::size_t b = a; b < d; ++b)
          scaled[a * d + b] = scaled[b * d + a] =
              drawn.draws[c][model::packed_place(a, b, d) * drawn.iterations + i];
      }
      axes.push_back(model::wide_axes(model, study.schema, scaled));
    }
  }
  return report_axes(
      drawn, axes, {model.columns, model.components, d * (d + 1) / 2, kind, model.learned && !options.prior},
      options);
}

constexpr const char* kMomentsWhy = "chains on the latent sums of products, all else integrated out";

constexpr const char* kLearnedWhy = "chains on the latent sums of products and on the scales of their prior";

/// Does the prior learn its scales, and are there records enough?
bool learns(const model::WideComponents& model, const RegressionProblem& problem,
            const InferOptions& options) {
  if (options.prior || !model.learned) return false;
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  return known == nullptr || known->n >= static_cast<std::int64_t>(model.columns.size()) + 2;
}

Posterior infer_learned(const release::RecordSet& releases, const model::WideComponents& model,
                        const InferOptions& options, const Conversation& conversation) {
  const model::Study& study = releases.front()->study;
  NormalColumns columns = make_normal_columns(model.columns, releases);
  columns.problem.prior_scale = options.prior_scale;
  ask_for_axes(columns);
  const auto least = static_cast<std::int64_t>(least_records(columns.problem));
  Posterior drawn = start(model.columns.size(), {study.dataset, columns.problem.total, least}, options);
  InferOptions inner = options;
  inner.summarise = false;
  NoiseWatch watch({releases}, drawn, options);
  DriverOptions driver = driver_for(drawn, options, "moments");
  driver.latents = watch.for_chains();
  NormalDraws draws(columns, driver, conversation);
  draws.tell(drawn);
  const bool asked = options.engine == EngineChoice::moments;
  take_chains(drawn, std::move(draws).scaled_covariance(), "moments", asked ? "asked for" : kLearnedWhy,
              inner);
  watch.tell(drawn);
  return told(drawn, study, model, DrawKind::markov, options);
}

/// What every engine but that of learned scales is given.
struct Question {
  const release::RecordSet& releases;
  const model::WideComponents& model;
  const RegressionProblem& problem;
  const InferOptions& options;

  [[nodiscard]] const model::Study& study() const { return releases.front()->study; }
  [[nodiscard]] Posterior start() const {
    return infer::start(model.columns.size(), {study().dataset, problem.total}, options);
  }
};

Posterior infer_stated(const Question& question, const Conversation& conversation) {
  const InferOptions& options = question.options;
  Posterior drawn = question.start();
  if (question.model.learned && !options.prior) {
    drawn.notes.emplace_back(
        "the prior's scales are learned only where there are at least two more records than columns; here "
        "the prior is the law that plans are made with: state one by numbers if it does not suit");
  }
  InferOptions inner = options;
  inner.summarise = false;
  NoiseWatch watch({question.releases}, drawn, options);
  DriverOptions driver = driver_for(drawn, options, "moments");
  driver.latents = watch.for_chains();
  take_chains(drawn, draw_covariance(question.problem, driver, conversation), "moments",
              options.engine == EngineChoice::moments ? "asked for" : kMomentsWhy, inner);
  watch.tell(drawn);
  return told(drawn, question.study(), question.model, DrawKind::markov, options);
}

Posterior infer_naive(const Question& question, const Conversation& conversation) {
  const InferOptions& options = question.options;
  Posterior drawn = question.start();
  drawn.draws =
      draw_plug_in_covariance(question.problem, driver_for(drawn, options, "naive"), conversation).draws;
  drawn.engine = "naive";
  drawn.reason = "asked for; it takes the noisy sums, drawn in to what records can add up to, for the truth";
  drawn.warnings.push_back(naive_warning());
  return told(drawn, question.study(), question.model, DrawKind::independent, options);
}

}  // namespace

Posterior infer_wide(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                     const Conversation& conversation) {
  if (sets.size() > 1) {
    throw Error(ErrorCode::unsupported,
                {"releases of several datasets cannot be combined for components of so many columns; infer "
                 "from each dataset alone"});
  }
  const model::Study& study = sets.front().front()->study;
  const model::Model of =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  if (options.prior) of.kind().check(of, study.schema);
  const auto& model = of.get<model::WideComponents>();
  const RegressionProblem problem = make_problem(sets.front(), model);
  const Question question{sets.front(), model, problem, options};
  switch (options.engine) {
    case EngineChoice::automatic:
    case EngineChoice::moments:
      if (learns(model, problem, options)) return infer_learned(sets.front(), model, options, conversation);
      return infer_stated(question, conversation);
    case EngineChoice::naive:
      return infer_naive(question, conversation);
    default:  // engines of other kinds
      break;
  }
  throw Error(ErrorCode::engine_unsuitable, {"components of more than eight columns are inferred by their "
                                             "sums of products: no other engine knows their law"});
}

}  // namespace postern::infer
