#include "infer_gibbs.hpp"

#include "postern/core/parallel.hpp"
#include "postern/infer/gibbs/pooled_counts.hpp"

#include "draw_summary.hpp"
#include "total.hpp"

namespace postern::infer {
Posterior infer_gibbs(const CountModel& model, std::vector<NamedProblem> groups, const std::string& why,
                      const InferOptions& options, const Conversation& conversation) {
  Posterior out = start_posterior(model, options);
  std::vector<NamedTotal> totals;
  for (const NamedProblem& group : groups) totals.push_back({group.dataset, group.problem.total});
  name_totals(out, totals);
  PooledCounts problem;
  problem.alpha = model.alpha;
  for (const CellQuantity& quantity : model.quantities) problem.reported.push_back(quantity.cell);
  for (NamedProblem& group : groups) problem.datasets.push_back(std::move(group.problem));
  DriverOptions driver;
  driver.chains = out.chains;
  driver.draws = out.iterations;
  driver.seed = options.seed;
  driver.threads = options.threads;
  ChainRun run = draw_pooled_counts(problem, driver, conversation);
  out.draws = std::move(run.draws);
  out.engine = "gibbs";
  out.reason = why + "; MCMC, " + std::to_string(run.warmup) + " steps of warm-up, one draw kept of " +
               std::to_string(run.thinning);
  if (!options.summarise) return out;
  out.summary.resize(out.names.size());
  parallel_for(out.names.size(), options.threads,
               [&](std::size_t q) { out.summary[q] = summarise_draws(out, q, DrawKind::markov); });
  for (std::string& note : convergence_notes(out.summary)) out.notes.push_back(std::move(note));
  return out;
}

}  // namespace postern::infer
