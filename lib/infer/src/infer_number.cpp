#include "infer_number.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/augment/number_records.hpp"
#include "postern/infer/exact/number_posterior.hpp"
#include "postern/infer/gibbs/bounded.hpp"
#include "postern/infer/gibbs/unbounded.hpp"

#include "draw_summary.hpp"
#include "fill_draws.hpp"
#include "naive.hpp"
#include "number_model.hpp"

namespace postern::infer {
namespace {

Posterior start(const NumberModel& model, const NumberProblem& problem, const InferOptions& options) {
  Posterior out;
  out.names = model.names;
  out.labels = model.labels;
  out.notes = model.notes;
  if (const auto* latent = std::get_if<LatentTotal>(&problem.total)) {
    out.names.emplace_back("n");
    out.labels.emplace_back("number of records");
    out.notes.push_back("n is private: uniform prior on 0.." + std::to_string(latent->at_most));
  }
  out.chains = static_cast<std::size_t>(options.chains);
  out.iterations = options.draws;
  return out;
}

Posterior infer_exact(const NumberModel& model, const NumberProblem& problem, const InferOptions& options,
                      const Conversation& conversation) {
  Posterior out = start(model, problem, options);
  const bool latent = std::holds_alternative<LatentTotal>(problem.total);
  out.engine = "exact";
  out.reason = "one parameter; the law of the encoded sum is summed against the noise, independent draws";
  const NumberPosterior posterior(problem, options.threads);
  conversation.report("drawing", 0.5);
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    const NumberPosterior::Draw draw = posterior.draw(rng);
    values.front() = draw.theta;
    if (latent) values.back() = static_cast<double>(draw.n);
  });
  out.log_evidence = posterior.log_evidence();
  if (!options.summarise) return out;
  SummaryRow row = summary_row(out, 0);
  row.mean = posterior.mean();
  row.sd = posterior.sd();
  row.q05 = posterior.quantile(0.05);
  row.q50 = posterior.quantile(0.50);
  row.q95 = posterior.quantile(0.95);
  out.summary.push_back(row);
  if (latent) {
    SummaryRow total = summary_row(out, 1);
    total.mean = posterior.total().mean;
    total.sd = posterior.total().sd;
    total.q05 = posterior.total_quantile(0.05);
    total.q50 = posterior.total_quantile(0.50);
    total.q95 = posterior.total_quantile(0.95);
    out.summary.push_back(total);
  }
  return out;
}

/// The draws of a chain engine as a posterior.
template <class Run>
Posterior infer_by_chains(const NumberModel& model, const NumberProblem& problem, const char* engine,
                          const std::string& why, const InferOptions& options, const Run& run_engine) {
  Posterior out = start(model, problem, options);
  DriverOptions driver;
  driver.chains = out.chains;
  driver.draws = out.iterations;
  driver.seed = options.seed;
  driver.threads = options.threads;
  ChainRun run = run_engine(driver);
  out.draws = std::move(run.draws);
  out.engine = engine;
  out.reason = why + "; MCMC, " + std::to_string(run.warmup) + " steps of warm-up, one draw kept of " +
               std::to_string(run.thinning);
  if (!options.summarise) return out;
  for (std::size_t q = 0; q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::markov));
  for (std::string& note : convergence_notes(out.summary)) out.notes.push_back(std::move(note));
  return out;
}

Posterior infer_augmented(const NumberModel& model, const NumberProblem& problem, const std::string& why,
                          const InferOptions& options, const Conversation& conversation) {
  return infer_by_chains(model, problem, "augment", why, options, [&](const DriverOptions& driver) {
    return draw_augmented_number(problem, driver, conversation);
  });
}

Posterior infer_gibbs(const NumberModel& model, const NumberProblem& problem, const std::string& why,
                      const InferOptions& options, const Conversation& conversation) {
  Posterior out = infer_by_chains(model, problem, "gibbs", why, options, [&](const DriverOptions& driver) {
    return model.family->bounded ? draw_bounded_number(problem, driver, conversation)
                                 : draw_joint_number(problem, driver, conversation);
  });
  out.notes.emplace_back(
      "gibbs takes the sums to be normal given the parameters: for some hundred records and more");
  return out;
}

/// How many records a problem is about, as far as is known without inference.
double expected_records(const NumberProblem& problem) { return plug_in(problem).n; }

Posterior infer_naive(const NumberModel& model, const NumberProblem& problem, const InferOptions& options,
                      const Conversation& conversation) {
  Posterior out = start(model, problem, options);
  const model::Sums sums = plug_in(problem);
  const model::Hyper after = model.law->update(model.prior, sums);
  out.engine = "naive";
  out.reason = "asked for; it takes the noisy sums for the truth, and clamped records for whole ones";
  out.notes.emplace_back("naive ignores the noise: its intervals are too narrow, use it only to compare");
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    const model::Theta theta = model.law->draw_theta(after, rng);
    std::copy_n(theta.begin(), model.names.size(), values.begin());
    if (values.size() > model.names.size()) values.back() = sums.n;
  });
  for (std::size_t q = 0; options.summarise && q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
  return out;
}

}  // namespace

Posterior infer_number(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                       const Conversation& conversation) {
  const NumberModel model = make_number_model(sets.front().front()->study, options);
  if (sets.size() > 1) {
    throw Error(ErrorCode::engine_unsuitable,
                {"families of numbers are inferred from one dataset at a time in this version"});
  }
  const NumberProblem problem = make_number_problem(model, sets.front());
  switch (options.engine) {
    case EngineChoice::naive:
      return infer_naive(model, problem, options, conversation);
    case EngineChoice::exact:
      return infer_exact(model, problem, options, conversation);
    case EngineChoice::augment:
      return infer_augmented(model, problem, "asked for", options, conversation);
    case EngineChoice::gibbs:
      return infer_gibbs(model, problem, "asked for", options, conversation);
    case EngineChoice::automatic:
      break;
  }
  if (!problem.squares) return infer_exact(model, problem, options, conversation);
  // Latent records are exact and their cost grows with n; beyond this the normal approximation is as good.
  constexpr double kManyRecords = 3000;
  if (expected_records(problem) <= kManyRecords)
    return infer_augmented(model, problem, "two parameters, few records", options, conversation);
  return infer_gibbs(model, problem, "two parameters, many records", options, conversation);
}

}  // namespace postern::infer
