#include "postern/infer/infer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

#include "count_model.hpp"
#include "exact/pooled_proportion.hpp"
#include "fill_draws.hpp"
#include "infer_gibbs.hpp"
#include "infer_number.hpp"
#include "infer_vector.hpp"
#include "naive.hpp"
#include "total.hpp"

namespace postern::infer {
namespace {

SummaryRow summary_of(const Posterior& out, std::size_t quantity, const BetaMixture& mixture) {
  SummaryRow row = summary_row(out, quantity);
  row.mean = mixture.mean();
  row.sd = mixture.sd();
  row.q05 = mixture.quantile(0.05);
  row.q50 = mixture.quantile(0.50);
  row.q95 = mixture.quantile(0.95);
  return row;
}

void summarise(Posterior& out, const CountModel& model, const CountPosterior& posterior,
               const InferOptions& options) {
  out.summary.resize(out.names.size());
  parallel_for(model.quantities.size(), options.threads, [&](std::size_t q) {
    const std::size_t cell = model.quantities[q].cell;
    SummaryRow row = summary_row(out, q);
    row.mean = posterior.mean(cell);
    row.sd = posterior.sd(cell);
    row.q05 = posterior.quantile(cell, 0.05);
    row.q50 = posterior.quantile(cell, 0.50);
    row.q95 = posterior.quantile(cell, 0.95);
    out.summary[q] = row;
  });
  if (out.names.back() != "n") return;
  SummaryRow row = summary_row(out, out.names.size() - 1);
  row.mean = posterior.total().mean;
  row.sd = posterior.total().sd;
  row.q05 = posterior.total_quantile(0.05);
  row.q50 = posterior.total_quantile(0.50);
  row.q95 = posterior.total_quantile(0.95);
  out.summary.back() = row;
}

Posterior infer_exact(const CountModel& model, CountProblem problem, const InferOptions& options,
                      const Conversation& conversation) {
  Posterior out = start_posterior(model, options);
  name_totals(out, {{"", problem.total}});
  const std::size_t cells = problem.alpha.size();
  const bool counts_n = std::holds_alternative<LatentTotal>(problem.total);
  out.engine = "exact";
  out.reason = "one table of " + std::to_string(cells) + " cells; independent draws, no MCMC";
  const CountPosterior posterior(std::move(problem), options.memory_limit, options.threads);
  conversation.report("drawing", 0.5);
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    thread_local std::vector<double> theta;
    thread_local std::vector<std::int64_t> counts;
    theta.resize(cells);
    counts.resize(cells);
    const std::int64_t n = posterior.draw(theta, counts, rng);
    for (std::size_t q = 0; q < model.quantities.size(); ++q) values[q] = theta[model.quantities[q].cell];
    if (counts_n) values.back() = static_cast<double>(n);
  });
  if (options.summarise) summarise(out, model, posterior, options);
  out.log_evidence = posterior.log_evidence();
  return out;
}

/// Why releases of several datasets cannot be combined exactly; nothing if they can.
std::optional<std::string> why_not_pooled(const CountModel& model, const std::vector<CountProblem>& groups) {
  const std::string datasets = std::to_string(groups.size()) + " datasets";
  if (model.alpha.size() != 2)
    return "one table of " + std::to_string(model.alpha.size()) + " cells behind " + datasets;
  if (std::holds_alternative<LatentTotal>(groups.front().total))
    return "one proportion behind " + datasets + " of private n";
  if (!PooledProportion::fits(groups)) return "one proportion behind " + datasets + " of many records";
  return std::nullopt;
}

Posterior infer_pooled(const CountModel& model, const std::vector<CountProblem>& groups,
                       const InferOptions& options, const Conversation& conversation) {
  Posterior out = start_posterior(model, options);
  out.engine = "exact";
  out.reason = "one proportion in " + std::to_string(groups.size()) + " datasets; independent draws, no MCMC";
  const PooledProportion pooled(model.alpha, model.quantities.front().cell, groups);
  const bool both = model.quantities.size() == 2;
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    values.front() = pooled.draw(rng);
    if (both) values.back() = 1 - values.front();
  });
  if (options.summarise) {
    out.summary.push_back(summary_of(out, 0, pooled.mixture()));
    if (both) {
      SummaryRow mirrored = summary_row(out, 1);
      const SummaryRow& row = out.summary.front();
      mirrored.mean = 1 - row.mean;
      mirrored.sd = row.sd;
      mirrored.q05 = 1 - row.q95;
      mirrored.q50 = 1 - row.q50;
      mirrored.q95 = 1 - row.q05;
      out.summary.push_back(mirrored);
    }
  }
  out.log_evidence = pooled.log_evidence();
  return out;
}

Posterior infer_naive(const CountModel& model, const std::vector<CountProblem>& groups,
                      const InferOptions& options, const Conversation& conversation) {
  std::vector<double> alpha = model.alpha;
  for (const CountProblem& group : groups) alpha = plug_in(std::move(alpha), group);
  Posterior out = start_posterior(model, options);
  out.engine = "naive";
  out.reason = "asked for; it takes the noisy counts for the truth";
  out.notes.emplace_back("naive ignores the noise: its intervals are too narrow, use it only to compare");
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    std::vector<double> theta(alpha.size());
    draw_dirichlet(alpha, theta, rng);
    for (std::size_t q = 0; q < values.size(); ++q) values[q] = theta[model.quantities[q].cell];
  });
  const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  for (std::size_t q = 0; options.summarise && q < model.quantities.size(); ++q) {
    const double a = alpha[model.quantities[q].cell];
    out.summary.push_back(summary_of(out, q, BetaMixture({{a, total - a, BetaRow::Keeps::sum, {1.0}}})));
  }
  return out;
}

Posterior run_engine(const CountModel& model, const std::vector<release::RecordSet>& sets,
                     std::vector<CountProblem> groups, const InferOptions& options,
                     const Conversation& conversation) {
  const auto gibbs = [&](const std::string& why) {
    std::vector<NamedProblem> named;
    for (std::size_t d = 0; d < groups.size(); ++d)
      named.push_back({sets[d].front()->study.dataset, std::move(groups[d])});
    return infer_gibbs(model, std::move(named), why, options, conversation);
  };
  if (options.engine == EngineChoice::naive) return infer_naive(model, groups, options, conversation);
  if (options.engine == EngineChoice::gibbs) return gibbs("asked for");
  if (options.engine == EngineChoice::augment) {
    throw Error(ErrorCode::engine_unsuitable,
                {"the augment engine keeps latent records of a number, and this model is a table; take "
                 "--engine auto, exact or gibbs"});
  }
  if (groups.size() == 1) return infer_exact(model, std::move(groups.front()), options, conversation);
  const std::optional<std::string> obstacle = why_not_pooled(model, groups);
  if (!obstacle) return infer_pooled(model, groups, options, conversation);
  if (options.engine == EngineChoice::automatic) return gibbs(*obstacle);
  throw Error(ErrorCode::engine_unsuitable,
              {"the exact engine combines datasets only for one proportion with public n and not too many "
               "records; here is ",
               quote(*obstacle, 120), "; take --engine auto or gibbs, or infer from each dataset alone"});
}

Posterior infer_counts(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                       const Conversation& conversation) {
  const CountModel model = make_count_model(sets.front().front()->study, options);
  std::vector<CountProblem> groups;
  for (const release::RecordSet& set : sets) groups.push_back(make_count_problem(model, set));
  return run_engine(model, sets, std::move(groups), options, conversation);
}

void check_options(std::span<const release::Release> releases, const InferOptions& options) {
  if (releases.empty()) throw Error(ErrorCode::usage, {"there is no release to infer from"});
  if (options.chains < 1 || options.chains > 1000 || options.draws < 1 || options.draws > 100'000'000) {
    throw Error(ErrorCode::bad_option, {"chains must lie in 1..1000 and draws in 1..100000000"});
  }
}

}  // namespace

Posterior infer(std::span<const release::Release> releases, const InferOptions& options,
                const Conversation& conversation) {
  check_options(releases, options);
  const auto priors = options.prior ? release::Priors::may_differ : release::Priors::must_agree;
  const std::vector<release::RecordSet> sets = release::group_by_records(releases, priors);
  if (std::holds_alternative<model::Quantiles>(sets.front().front()->study.model)) {
    throw Error(
        ErrorCode::engine_unsuitable,
        {"a release of quantiles has no posterior: it is for choosing the bounds of a study's column"});
  }
  conversation.report("inferring", 0);
  const model::Model& model = sets.front().front()->study.model;
  Posterior out = std::holds_alternative<model::Number>(model) ? infer_number(sets, options, conversation)
                  : std::holds_alternative<model::MultivariateNormal>(model)
                      ? infer_vector(sets, options, conversation)
                      : infer_counts(sets, options, conversation);
  if (sets.size() > 1) {
    out.notes.push_back(std::to_string(sets.size()) +
                        " datasets are assumed disjoint: no person is in two of them");
  }
  conversation.report("inferring", 1);
  return out;
}

}  // namespace postern::infer
