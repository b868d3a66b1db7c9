#include "infer.hpp"

#include <sstream>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/chains/driver.hpp"

#include "bounds.hpp"
#include "kinds/choice/chain.hpp"
#include "kinds/choice/infer.hpp"
#include "kinds/choice/problem.hpp"
#include "kinds/principal_component/report.hpp"
#include "law.hpp"
#include "posterior/fill_draws.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

// A step goes through all cells a dozen times: a tenth of what others may take.
constexpr std::size_t kMostThinning = 8;
constexpr std::size_t kMostWarmup = 4000;

/// What is inferred from.
struct Question {
  const model::Study& study;
  const AxisLaw& law;  ///< the problem's
  const ChoiceProblem& problem;
};

Posterior start(const Question& question, const InferOptions& options) {
  return start_posterior(question.law.names(), question.law.labels(),
                         {{question.study.dataset, question.problem.total}}, options);
}

/// Draws of theta, and of n, as those of its axes.
Posterior told(const Posterior& drawn, const Question& question, DrawKind kind, const InferOptions& options) {
  std::vector<model::PrincipalAxes> axes;
  for (std::size_t c = 0; c < drawn.chains; ++c) {
    for (std::size_t i = 0; i < drawn.iterations; ++i)
      axes.push_back(
          model::axes_at(drawn.draws[c][i], drawn.draws[c][drawn.iterations + i], question.law.sigma()));
  }
  const auto& model = question.study.model.get<model::PrincipalAxis>();
  return report_axes(drawn, axes, {model.columns, 1, 2, kind}, options);
}

Posterior infer_augmented(const Question& question, const std::string& why, const InferOptions& options,
                          const Conversation& conversation) {
  InferOptions inner = options;
  inner.summarise = false;
  Posterior out = start(question, options);
  const ChoiceChain chain(question.problem);
  DriverOptions driver = driver_for(out, options, "augment");
  driver.most_thinning = kMostThinning;
  driver.most_warmup = kMostWarmup;
  take_chains(out, run_chains(chain, driver, conversation), "augment", why, inner);
  return told(out, question, DrawKind::markov, options);
}

Posterior infer_by_bounds(const Question& question, const AxisBounds& bounds, const InferOptions& options,
                          const Conversation& conversation) {
  Posterior out = start(question, options);
  out.engine = "bounds";
  out.reason = "the likelihood's lower bound stands for it on a grid of the plane, independent draws";
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    const auto [theta_1, theta_2] = bounds.draw(rng);
    values[0] = theta_1;
    values[1] = theta_2;
  });
  return told(out, question, DrawKind::independent, options);
}

Posterior infer_automatically(const Question& question, const InferOptions& options,
                              const Conversation& conversation) {
  const bool bounded =
      question.problem.choices.has_bounds() && std::holds_alternative<KnownTotal>(question.problem.total);
  if (!bounded)
    return infer_augmented(question, "chains on latent records, n being private or choices many", options,
                           conversation);
  const AxisBounds bounds(question.problem, question.law, options.threads);
  Posterior out = bounds.gap() <= kMostGap
                      ? infer_by_bounds(question, bounds, options, conversation)
                      : infer_augmented(question, "the bounds on the likelihood are too far apart", options,
                                        conversation);
  std::ostringstream text;
  text.precision(2);
  text << "upper and lower bound on the likelihood are up to " << bounds.gap()
       << " nats apart (Williams and McSherry 2010)";
  out.notes.push_back(text.str());
  return out;
}

}  // namespace

Posterior infer_axis(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                     const Conversation& conversation) {
  if (sets.size() > 1) {
    throw Error(ErrorCode::unsupported,
                {"axes chosen from several datasets are not combined; infer from each dataset alone"});
  }
  const model::Study& study = sets.front().front()->study;
  const model::Model model =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  if (options.prior) model.kind().check(model, study.schema);
  auto law = std::make_unique<const AxisLaw>(model.get<model::PrincipalAxis>(), study.schema);
  const AxisLaw& known = *law;
  const std::size_t cells = study.schema.domain(model::columns_of(study.model)).cells();
  const ChoiceProblem problem = make_choice_problem(sets.front(), std::move(law), cells);
  const Question question{study, known, problem};
  switch (options.engine) {
    case EngineChoice::augment:
      return infer_augmented(question, "asked for", options, conversation);
    case EngineChoice::automatic:
      return infer_automatically(question, options, conversation);
    default:  // engines of other kinds
      break;
  }
  throw Error(ErrorCode::engine_unsuitable,
              {"an axis that was chosen among candidates has no noisy sums that "
               "this engine could work on; leave the engine out"});
}

}  // namespace postern::infer
