#include "infer.hpp"

#include "postern/infer/kinds/table/augment/records.hpp"
#include "postern/infer/kinds/table/gibbs/pooled_counts.hpp"

#include "posterior/from_chains.hpp"

namespace postern::infer {
namespace {

PooledCounts pooled(const CountModel& model, std::vector<NamedProblem> groups) {
  PooledCounts problem;
  problem.alpha = model.alpha;
  for (const CellQuantity& quantity : model.quantities) problem.reported.push_back(quantity.cell);
  for (NamedProblem& group : groups) problem.datasets.push_back(std::move(group.problem));
  return problem;
}

}  // namespace

Posterior infer_gibbs(const CountModel& model, std::vector<NamedProblem> groups, const std::string& why,
                      const InferOptions& options, const Conversation& conversation) {
  Posterior out = start_counts(model, groups, options);
  const PooledCounts problem = pooled(model, std::move(groups));
  take_chains(out, draw_pooled_counts(problem, driver_for(out, options), conversation), "gibbs", why,
              options);
  return out;
}

Posterior infer_table_records(const CountModel& model, std::vector<NamedProblem> groups,
                              const std::string& why, const InferOptions& options,
                              const Conversation& conversation) {
  Posterior out = start_counts(model, groups, options);
  const PooledCounts problem = pooled(model, std::move(groups));
  take_chains(out, draw_augmented_table(problem, driver_for(out, options), conversation), "augment", why,
              options);
  return out;
}

}  // namespace postern::infer
