#include "infer.hpp"

#include <cmath>
#include <sstream>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/model/kinds/choice.hpp"

#include "bounds.hpp"
#include "chain.hpp"
#include "enumerate.hpp"
#include "posterior/draw_summary.hpp"
#include "posterior/fill_draws.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

/// What is inferred from.
struct Question {
  std::string dataset;
  ChoiceProblem problem;
};

Posterior start(const Question& question, const InferOptions& options) {
  const LevelLaw& law = *question.problem.law;
  return start_posterior(law.names(), law.labels(), {{question.dataset, question.problem.total}}, options);
}

std::string gap_text(double gap) {
  std::ostringstream text;
  text.precision(2);
  text << "upper and lower bound on the likelihood are up to " << std::max(gap, 0.0)
       << " nats apart within four standard deviations of the posterior mean (Williams and McSherry 2010)";
  return text.str();
}

std::string bounds_text(const BoundPosterior& bounds) {
  std::ostringstream text;
  text.precision(4);
  text << "the log likelihood at the posterior mean lies between " << bounds.log_lower() << " and "
       << bounds.log_lower() + bounds.gap();
  return text.str();
}

void take_moments(SummaryRow& row, const ChoiceMixture::Moments& moments) {
  row.mean = moments.mean;
  row.sd = std::sqrt(moments.variance);
}

Posterior infer_exact(const Question& question, const InferOptions& options,
                      const Conversation& conversation) {
  const ChoiceProblem& problem = question.problem;
  if (!ChoiceMixture::fits(problem)) {
    throw Error(ErrorCode::engine_unsuitable,
                {"the exact engine lists every table of counts that there could be, and here are too many, "
                 "or the model is of a number"});
  }
  Posterior out = start(question, options);
  out.engine = "exact";
  const ChoiceMixture mixture(problem);
  out.reason = "all tables of " + std::to_string(problem.choices.levels()) +
               " counts are listed; independent draws, no MCMC";
  conversation.report("drawing", 0.5);
  const std::size_t parameters = problem.law->names().size();
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    const std::span<const std::int64_t> counts = mixture.draw(rng);
    problem.law->report(problem.law->draw(counts, rng), values);
    if (values.size() == parameters) return;
    double n = 0;
    for (const std::int64_t count : counts) n += static_cast<double>(count);
    values.back() = n;
  });
  out.log_evidence = mixture.log_evidence();
  if (!options.summarise) return out;
  std::vector<double> cells(problem.choices.levels());
  for (std::size_t x = 0; x < cells.size(); ++x) cells[x] = static_cast<double>(x);
  std::vector<double> cell_of(parameters);
  problem.law->report(cells, cell_of);  // which level each parameter is of
  for (std::size_t q = 0; q < out.names.size(); ++q) {
    SummaryRow& row = out.summary.emplace_back(summarise_draws(out, q, DrawKind::independent));
    take_moments(row, q < parameters ? mixture.level(static_cast<std::size_t>(cell_of[q])) : mixture.total());
  }
  return out;
}

Posterior infer_augmented(const Question& question, const std::string& why, const InferOptions& options,
                          const Conversation& conversation) {
  Posterior out = start(question, options);
  const ChoiceChain chain(question.problem);
  take_chains(out, run_chains(chain, driver_for(out, options, "augment"), conversation), "augment", why,
              options);
  return out;
}

/// The lower bound for the likelihood, and how far the upper one is.
Posterior infer_by_bounds(const Question& question, const BoundPosterior& bounds, const InferOptions& options,
                          const Conversation& conversation) {
  Posterior out = start(question, options);
  out.engine = "bounds";
  out.reason = "one parameter; the likelihood's lower bound stands for it, independent draws";
  out.notes.push_back(gap_text(bounds.largest_gap()));
  out.notes.push_back(bounds_text(bounds));
  if (!(bounds.largest_gap() <= kMostGap))
    out.warnings.push_back(
        {"bounds-far-apart",
         gap_text(bounds.largest_gap()) + ": past 0.2 intervals are too narrow; take --engine auto"});
  fill_draws(out, options, conversation,
             [&](Rng& rng, std::vector<double>& values) { values.front() = bounds.draw(rng); });
  if (!options.summarise) return out;
  SummaryRow row = summary_row(out, 0);
  row.mean = bounds.mean();
  row.sd = bounds.sd();
  row.q05 = bounds.quantile(0.05);
  row.q50 = bounds.quantile(0.50);
  row.q95 = bounds.quantile(0.95);
  out.summary.push_back(std::move(row));
  return out;
}

/// Are there bounds along a line of parameters?
bool has_line(const ChoiceProblem& problem) {
  return problem.law->one_parameter() && problem.choices.has_bounds() &&
         std::holds_alternative<KnownTotal>(problem.total);
}

Posterior infer_automatically(const Question& question, const InferOptions& options,
                              const Conversation& conversation) {
  const ChoiceProblem& problem = question.problem;
  if (ChoiceMixture::fits(problem)) return infer_exact(question, options, conversation);
  if (!has_line(problem))
    return infer_augmented(question, "too many tables of counts to list", options, conversation);
  const BoundPosterior bounds(problem);
  if (bounds.largest_gap() <= kMostGap) return infer_by_bounds(question, bounds, options, conversation);
  Posterior out =
      infer_augmented(question, "the bounds on the likelihood are too far apart", options, conversation);
  out.notes.push_back(gap_text(bounds.largest_gap()));
  return out;
}

}  // namespace

bool bounds_fit(const model::Study& study) {
  return !study.privacy.n_at_most && make_level_law(model::study_of_records(study), {})->one_parameter();
}

Posterior infer_choice(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                       const Conversation& conversation) {
  if (sets.size() > 1) {
    throw Error(ErrorCode::unsupported,
                {"choices from several datasets are not combined; infer from each dataset alone"});
  }
  const Question question{sets.front().front()->study.dataset, make_choice_problem(sets.front(), options)};
  switch (options.engine) {
    case EngineChoice::exact:
      return infer_exact(question, options, conversation);
    case EngineChoice::augment:
      return infer_augmented(question, "asked for", options, conversation);
    case EngineChoice::bounds:
      if (!has_line(question.problem)) {
        throw Error(
            ErrorCode::engine_unsuitable,
            {"bounds on a choice are for one parameter, n public, and few combinations of candidates"});
      }
      return infer_by_bounds(question, BoundPosterior(question.problem), options, conversation);
    case EngineChoice::automatic:
      return infer_automatically(question, options, conversation);
    default:  // engines of other kinds
      break;
  }
  throw Error(ErrorCode::engine_unsuitable, {"a choice has no noisy counts that this engine could work on"});
}

}  // namespace postern::infer
