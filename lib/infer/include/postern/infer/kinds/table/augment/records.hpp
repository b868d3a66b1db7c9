#pragma once

#include "postern/core/stop.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/kinds/table/gibbs/pooled_counts.hpp"

namespace postern::infer {

/// MCMC draws from the posterior of a table behind disjoint record sets by moves of latent records: theta of
/// the reported cells, then n_d where latent. Targets the posterior itself: no approximation but the length
/// of the chains. Throws bad_value, interrupted.
[[nodiscard]] ChainRun draw_augmented_table(const PooledCounts& problem, const DriverOptions& options,
                                            const Conversation& conversation);

}  // namespace postern::infer
