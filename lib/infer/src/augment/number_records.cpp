#include "postern/infer/augment/number_records.hpp"

#include <algorithm>

#include "postern/infer/augment/record_chain.hpp"

namespace postern::infer {

static_assert(Kernel<RecordChain>);

RecordsForecast forecast_records(const NumberProblem& problem, const DriverOptions& options) {
  const double records = RecordChain::most_records(problem);
  // Vectors that grow may hold twice what they need.
  const double spare = std::holds_alternative<LatentTotal>(problem.total) ? 2 : 1;
  return {records, spare * records * RecordChain::kBytesPerRecord * static_cast<double>(options.chains)};
}

ChainRun draw_augmented_number(const NumberProblem& problem, const DriverOptions& options,
                               const Conversation& conversation) {
  const RecordChain kernel(problem);
  DriverOptions tuned = options;
  tuned.first_stage = std::max<std::size_t>(options.first_stage, RecordChain::kTuning);
  return run_chains(kernel, tuned, conversation);
}

}  // namespace postern::infer
