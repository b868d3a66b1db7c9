#pragma once

#include "postern/core/stop.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/kinds/multivariate_normal/problem.hpp"
#include "postern/infer/kinds/number/augment/records.hpp"

namespace postern::infer {

/// What the chains would need, at most.
[[nodiscard]] RecordsForecast forecast_records(const VectorProblem& problem, const DriverOptions& options);

/// MCMC draws from the posterior by data augmentation on latent records: mu, the upper triangle of Sigma row
/// by row, then n of every set where it is latent. Targets the posterior itself: no approximation but the
/// length of the chains. Throws bad_value, bad_prior, interrupted, engine_unsuitable (records are dropped),
/// engine_limit (more than 2 10^6 records may be).
[[nodiscard]] ChainRun draw_augmented_vectors(const VectorProblem& problem, const DriverOptions& options,
                                              const Conversation& conversation);

}  // namespace postern::infer
