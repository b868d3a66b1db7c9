#pragma once

#include <span>

#include "postern/model/kept_range.hpp"

namespace postern::infer {

/// So many kept records of a column.
struct KeptRecords {
  const model::KeptRange* range = nullptr;
  double n = 0;
};

/// log prod P(kept | theta)^n: what the density of kept records lacks against that of records of the law. No
/// records lack nothing; minus infinity is a theta that keeps none of records that are there.
[[nodiscard]] double log_kept_power(std::span<const KeptRecords> records, const model::Theta& theta);

/// Moves theta such that prior(theta) / prod P(kept | theta)^n stays its law, by slices. `prior` has seen the
/// records as if nothing were dropped. Costs some microseconds, whatever n.
void step_kept_theta(const model::NumberLaw& law, std::size_t parameters, const model::Hyper& prior,
                     std::span<const KeptRecords> records, model::Theta& theta, Rng& rng);

}  // namespace postern::infer
