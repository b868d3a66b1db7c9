#include "infer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/log_concave.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/table/count_model.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/gibbs/pooled_counts.hpp"
#include "postern/infer/noise/totals_noise.hpp"

#include "kinds/plug_in.hpp"
#include "kinds/table/exact/beta_mixture.hpp"
#include "kinds/table/exact/pooled_proportion.hpp"
#include "kinds/table/latent.hpp"
#include "kinds/table/learned.hpp"
#include "posterior/draw_summary.hpp"
#include "posterior/fill_draws.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

/// A line of the summary from whatever knows its mean, sd and quantiles.
template <class Law>
SummaryRow filled_row(const Posterior& out, std::size_t quantity, const Law& law) {
  SummaryRow row = summary_row(out, quantity);
  row.mean = law.mean();
  row.sd = law.sd();
  row.q05 = law.quantile(0.05);
  row.q50 = law.quantile(0.50);
  row.q95 = law.quantile(0.95);
  return row;
}

/// One cell's probability, or n, of an exact posterior.
struct CellLaw {
  const CountPosterior& posterior;
  std::size_t cell;
  [[nodiscard]] double mean() const { return posterior.mean(cell); }
  [[nodiscard]] double sd() const { return posterior.sd(cell); }
  [[nodiscard]] double quantile(double p) const { return posterior.quantile(cell, p); }
};
struct TotalLaw {
  const CountPosterior& posterior;
  [[nodiscard]] double mean() const { return posterior.total().mean; }
  [[nodiscard]] double sd() const { return posterior.total().sd; }
  [[nodiscard]] double quantile(double p) const { return posterior.total_quantile(p); }
};

Posterior infer_exact(const CountModel& model, const NamedProblem& group, const release::RecordSet& set,
                      const InferOptions& options, const Conversation& conversation) {
  Posterior out = start_counts(model, {group}, options);
  const std::size_t cells = group.problem.alpha.size();
  const bool counts_n = std::holds_alternative<LatentTotal>(group.problem.total);
  out.engine = "exact";
  out.reason = "one table of " + std::to_string(cells) + " cells; independent draws, no MCMC";
  const CountPosterior posterior(group.problem, options.memory_limit, options.threads);
  conversation.report("drawing", 0.5);
  NoiseWatch watch({set}, out, options);
  const auto draw = [&](Rng& rng, std::vector<double>& values, std::span<double> latent) {
    thread_local std::vector<double> theta;
    thread_local std::vector<std::int64_t> counts;
    theta.resize(cells);
    counts.resize(cells);
    const std::int64_t n = posterior.draw(theta, counts, rng);
    for (std::size_t q = 0; q < model.quantities.size(); ++q) values[q] = theta[model.quantities[q].cell];
    if (counts_n) values.back() = static_cast<double>(n);
    if (!latent.empty()) (void)tell_latent(set, counts, latent);
  };
  fill_draws(out, options, conversation, watch, draw);
  out.log_evidence = posterior.log_evidence();
  if (!options.summarise) return out;
  out.summary.resize(out.names.size());
  parallel_for(model.quantities.size(), options.threads, [&](std::size_t q) {
    out.summary[q] = filled_row(out, q, CellLaw{posterior, model.quantities[q].cell});
  });
  if (counts_n) out.summary.back() = filled_row(out, out.names.size() - 1, TotalLaw{posterior});
  return out;
}

std::vector<CountProblem> problems_of(const std::vector<NamedProblem>& groups) {
  std::vector<CountProblem> problems;
  problems.reserve(groups.size());
  for (const NamedProblem& group : groups) problems.push_back(group.problem);
  return problems;
}

/// Why releases of several datasets cannot be combined exactly; nothing if they can.
std::optional<std::string> why_not_pooled(const CountModel& model, const std::vector<NamedProblem>& groups) {
  const std::string datasets = std::to_string(groups.size()) + " datasets";
  if (model.alpha.size() != 2)
    return "one table of " + std::to_string(model.alpha.size()) + " cells behind " + datasets;
  if (std::holds_alternative<LatentTotal>(groups.front().problem.total))
    return "one proportion behind " + datasets + " of private n";
  if (!PooledProportion::fits(problems_of(groups)))
    return "one proportion behind " + datasets + " of many records";
  return std::nullopt;
}

/// The count of one of two cells given theta and what was released of both.
class SharedCount {
 public:
  SharedCount(const CountProblem& problem, std::size_t cell)
      : n_(std::get<KnownTotal>(problem.total).n),
        own_(problem.noisy_values[cell], 0, static_cast<double>(n_)),
        other_(problem.noisy_values[1 - cell], 0, static_cast<double>(n_)),
        cell_(cell) {}

  /// Counts of both cells.
  [[nodiscard]] std::array<std::int64_t, 2> draw(double theta, Rng& rng) const {
    const Law law{*this, std::log(theta) - std::log1p(-theta)};
    const auto near = static_cast<std::int64_t>(theta * static_cast<double>(n_));
    std::array<std::int64_t, 2> out{};
    out[cell_] = LogConcave<Law>(law, 0, n_, near).draw(rng);
    out[1 - cell_] = n_ - out[cell_];
    return out;
  }

 private:
  struct Law {
    const SharedCount& count;
    double log_odds;
    [[nodiscard]] double log_ratio(double to, double from) const {
      const auto n = static_cast<double>(count.n_);
      return log_choose(n, to) - log_choose(n, from) + log_odds * (to - from) +
             count.own_.log_ratio(to, from) + count.other_.log_ratio(n - to, n - from);
    }
    [[nodiscard]] double step(double x) const { return log_ratio(x + 1, x); }
  };

  std::int64_t n_;
  SumEvidence own_, other_;
  std::size_t cell_;
};

Posterior infer_pooled(const CountModel& model, const std::vector<NamedProblem>& groups,
                       const std::vector<release::RecordSet>& sets, const InferOptions& options,
                       const Conversation& conversation) {
  Posterior out = start_counts(model, groups, options);
  out.engine = "exact";
  out.reason = "one proportion in " + std::to_string(groups.size()) + " datasets; independent draws, no MCMC";
  const PooledProportion pooled(model.alpha, model.quantities.front().cell, problems_of(groups));
  const bool both = model.quantities.size() == 2;
  NoiseWatch watch(sets, out, options);
  std::vector<SharedCount> counts;
  for (const NamedProblem& group : groups) counts.emplace_back(group.problem, model.quantities.front().cell);
  const auto draw = [&](Rng& rng, std::vector<double>& values, std::span<double> latent) {
    values.front() = pooled.draw(rng);
    if (both) values.back() = 1 - values.front();
    if (latent.empty()) return;
    Rng own = rng;
    for (std::size_t s = 0; s < sets.size(); ++s)
      latent = latent.subspan(tell_latent(sets[s], counts[s].draw(values.front(), own), latent));
  };
  fill_draws(out, options, conversation, watch, draw);
  if (options.summarise) {
    out.summary.push_back(filled_row(out, 0, pooled.mixture()));
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

Posterior infer_naive(const CountModel& model, const std::vector<NamedProblem>& groups,
                      const InferOptions& options, const Conversation& conversation) {
  Posterior out = start_counts(model, groups, options);
  std::vector<double> alpha = model.alpha;
  std::vector<double> latent;
  for (const NamedProblem& group : groups) {
    const double before = std::accumulate(alpha.begin(), alpha.end(), 0.0);
    alpha = plug_in(std::move(alpha), group.problem);
    if (const auto* total = std::get_if<LatentTotal>(&group.problem.total))
      latent.push_back(std::min(std::accumulate(alpha.begin(), alpha.end(), 0.0) - before,
                                static_cast<double>(total->at_most)));
  }
  out.engine = "naive";
  out.reason = "asked for; it takes the noisy counts for the truth";
  out.warnings.push_back(naive_warning());
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    thread_local std::vector<double> theta;
    theta.resize(alpha.size());
    draw_dirichlet(alpha, theta, rng);
    for (std::size_t q = 0; q < model.quantities.size(); ++q) values[q] = theta[model.quantities[q].cell];
    std::copy(latent.begin(), latent.end(), values.end() - static_cast<std::ptrdiff_t>(latent.size()));
  });
  if (!options.summarise) return out;
  const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  for (std::size_t q = 0; q < model.quantities.size(); ++q) {
    const double a = alpha[model.quantities[q].cell];
    out.summary.push_back(filled_row(out, q, BetaMixture({{a, total - a, BetaRow::Keeps::sum, {1.0}}})));
  }
  for (std::size_t q = model.quantities.size(); q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
  return out;
}

PooledCounts pooled(const CountModel& model, std::vector<NamedProblem> groups) {
  PooledCounts problem;
  problem.alpha = model.alpha;
  for (const CellQuantity& quantity : model.quantities) problem.reported.push_back(quantity.cell);
  for (NamedProblem& group : groups) problem.datasets.push_back(std::move(group.problem));
  return problem;
}

/// For chains, which tell the counts of every dataset.
LatentWatch watch_counts(const std::vector<release::RecordSet>& sets, std::size_t cells, NoiseWatch& watch) {
  LatentWatch out = watch.for_chains();
  if (out.size == 0) return out;
  out.see = [&sets, cells, see = out.see, size = out.size](std::size_t chain, std::span<const double> told) {
    const std::vector<std::int64_t> counts(told.begin(), told.end());
    std::vector<double> latent(size);
    std::span<double> rest = latent;
    for (std::size_t s = 0; s < sets.size(); ++s)
      rest = rest.subspan(tell_latent(sets[s], std::span(counts).subspan(s * cells, cells), rest));
    see(chain, latent);
  };
  out.size = sets.size() * cells;
  return out;
}

Posterior infer_gibbs(const CountModel& model, std::vector<NamedProblem> groups,
                      const std::vector<release::RecordSet>& sets, const std::string& why,
                      const InferOptions& options, const Conversation& conversation) {
  Posterior out = start_counts(model, groups, options);
  const PooledCounts problem = pooled(model, std::move(groups));
  NoiseWatch watch(sets, out, options);
  DriverOptions driver = driver_for(out, options, "gibbs");
  driver.latents = watch_counts(sets, model.alpha.size(), watch);
  take_chains(out, draw_pooled_counts(problem, driver, conversation), "gibbs", why, options);
  watch.tell(out);
  return out;
}

/// Under a prior stated by numbers.
Posterior infer_by_numbers(const CountModel& model, std::vector<NamedProblem> groups,
                           const std::vector<release::RecordSet>& sets, const InferOptions& options,
                           const Conversation& conversation) {
  if (options.engine == EngineChoice::naive) return infer_naive(model, groups, options, conversation);
  if (options.engine == EngineChoice::gibbs)
    return infer_gibbs(model, std::move(groups), sets, "asked for", options, conversation);
  if (options.engine == EngineChoice::augment)
    throw Error(
        ErrorCode::engine_unsuitable,
        {"the augment engine is for numbers: a table's counts are drawn by gibbs without latent records"});
  if (groups.size() == 1) return infer_exact(model, groups.front(), sets.front(), options, conversation);
  const std::optional<std::string> obstacle = why_not_pooled(model, groups);
  if (!obstacle) return infer_pooled(model, groups, sets, options, conversation);
  if (options.engine == EngineChoice::automatic)
    return infer_gibbs(model, std::move(groups), sets, *obstacle, options, conversation);
  throw Error(ErrorCode::engine_unsuitable,
              {"the exact engine combines datasets only for one proportion with public n and not too many "
               "records; here is ",
               quote(*obstacle, 120), "; or infer from each dataset alone"});
}

/// Why a learned prior was not learned.
std::string planning_note(std::size_t datasets) {
  const char* why =
      datasets > 1 ? "a prior is learned for one dataset at a time" : "this engine learns no prior";
  return why + std::string(": the one used here is one record a cell, evenly");
}

}  // namespace

Posterior infer_table(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                      const Conversation& conversation) {
  const model::Study& study = sets.front().front()->study;
  const CountModel model = make_count_model(study, options);
  std::vector<NamedProblem> groups;
  for (const release::RecordSet& set : sets)
    groups.push_back({set.front()->study.dataset, make_count_problem(model, set)});
  const bool exact = options.engine == EngineChoice::automatic || options.engine == EngineChoice::exact;
  if (learns(study, options) && groups.size() == 1 && exact)
    return infer_learned(sets.front(), model, groups.front(), options, conversation);
  Posterior out = infer_by_numbers(model, std::move(groups), sets, options, conversation);
  if (learns(study, options)) out.notes.push_back(planning_note(sets.size()));
  return out;
}

}  // namespace postern::infer
