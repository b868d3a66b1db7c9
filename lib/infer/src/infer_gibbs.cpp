#include "infer_gibbs.hpp"

#include "postern/infer/gibbs/pooled_counts.hpp"

#include "chain_posterior.hpp"

namespace postern::infer {

Posterior infer_gibbs(const CountModel& model, std::vector<NamedProblem> groups, const std::string& why,
                      const InferOptions& options, const Conversation& conversation) {
  Posterior out = start_counts(model, groups, options);
  PooledCounts problem;
  problem.alpha = model.alpha;
  for (const CellQuantity& quantity : model.quantities) problem.reported.push_back(quantity.cell);
  for (NamedProblem& group : groups) problem.datasets.push_back(std::move(group.problem));
  take_chains(out, draw_pooled_counts(problem, driver_for(out, options), conversation), "gibbs", why,
              options);
  return out;
}

}  // namespace postern::infer
