#pragma once

#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/kinds/number/problem.hpp"

namespace postern::infer {

/// What the chains would need, at most.
struct RecordsForecast {
  double records = 0;  ///< a chain
  double bytes = 0;    ///< all chains
};
[[nodiscard]] RecordsForecast forecast_records(const NumberProblem& problem, const DriverOptions& options);

/// MCMC draws from the posterior by data augmentation on latent records: theta (two where the problem has two
/// parameters), then n where latent. Several problems are record sets that share law and prior; n of each.
/// Targets the posterior itself: no approximation but the length of the chains. Throws bad_value,
/// interrupted, engine_limit (n may pass 10^7).
[[nodiscard]] ChainRun draw_augmented_number(const std::vector<NumberProblem>& problems,
                                             const DriverOptions& options, const Conversation& conversation);

}  // namespace postern::infer
