#include "postern/infer/kinds/number/augment/records.hpp"

#include <algorithm>

#include "postern/infer/kinds/number/augment/pooled_records.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"

namespace postern::infer {

static_assert(Kernel<RecordChain>);
static_assert(Kernel<PooledRecords>);

RecordsForecast forecast_records(const NumberProblem& problem, const DriverOptions& options) {
  const double records = RecordChain::most_records(problem);
  // Vectors that grow may hold twice what they need.
  const double spare = std::holds_alternative<LatentTotal>(problem.total) ? 2 : 1;
  return {records, spare * records * RecordChain::kBytesPerRecord * static_cast<double>(options.chains)};
}

ChainRun draw_augmented_number(const std::vector<NumberProblem>& problems, const DriverOptions& options,
                               const Conversation& conversation) {
  DriverOptions tuned = options;
  tuned.first_stage = std::max<std::size_t>(options.first_stage, RecordChain::kTuning);
  if (problems.size() == 1) return run_chains(RecordChain(problems.front()), tuned, conversation);
  return run_chains(PooledRecords(problems), tuned, conversation);
}

}  // namespace postern::infer
