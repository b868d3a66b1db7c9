#include "postern/infer/kinds/multivariate_normal/augment/records.hpp"

#include <algorithm>

#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"

namespace postern::infer {

static_assert(Kernel<VectorChain>);

RecordsForecast forecast_records(const VectorProblem& problem, const DriverOptions& options) {
  const double records = VectorChain::most_records(problem);
  // Vectors that grow may hold twice what they need.
  const bool grows = std::any_of(problem.sets.begin(), problem.sets.end(), [](const VectorRecords& set) {
    return std::holds_alternative<LatentTotal>(set.total);
  });
  return {records, (grows ? 2 : 1) * records * VectorChain::bytes_per_record(problem.prior.mean.size()) *
                       static_cast<double>(options.chains)};
}

ChainRun draw_augmented_vectors(const VectorProblem& problem, const DriverOptions& options,
                                const Conversation& conversation) {
  const VectorChain kernel(problem);
  DriverOptions tuned = options;
  tuned.first_stage = std::max<std::size_t>(options.first_stage, VectorChain::kTuning);
  return run_chains(kernel, tuned, conversation);
}

}  // namespace postern::infer
