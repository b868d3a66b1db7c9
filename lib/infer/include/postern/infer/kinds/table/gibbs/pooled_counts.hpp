#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/kinds/table/problem.hpp"

namespace postern::infer {

/// theta ~ Dirichlet(alpha) behind disjoint record sets: s_d ~ Multinomial(n_d, theta), each seen through
/// noise. The alpha of the datasets is not looked at. Totals are all known or all latent.
struct PooledCounts {
  std::vector<double> alpha;
  std::vector<CountProblem> datasets;
  std::vector<std::size_t> reported;  ///< cells whose theta is wanted
};

/// MCMC draws from the posterior: theta of the reported cells, then n_d where latent. Targets the posterior
/// itself: no approximation but the length of the chains. Throws bad_value, interrupted.
[[nodiscard]] ChainRun draw_pooled_counts(const PooledCounts& problem, const DriverOptions& options,
                                          const Conversation& conversation);

}  // namespace postern::infer
