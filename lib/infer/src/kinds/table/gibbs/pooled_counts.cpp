#include "postern/infer/kinds/table/gibbs/pooled_counts.hpp"

#include "pooled_tables.hpp"

namespace postern::infer {

static_assert(Kernel<PooledTables>);

ChainRun draw_pooled_counts(const PooledCounts& problem, const DriverOptions& options,
                            const Conversation& conversation) {
  const PooledTables kernel(problem.alpha, problem.reported, problem.datasets);
  return run_chains(kernel, options, conversation);
}

}  // namespace postern::infer
