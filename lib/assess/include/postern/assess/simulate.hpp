#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/number_law.hpp"
#include "postern/model/wishart.hpp"
#include "postern/release/release.hpp"

namespace postern::assess {

/// A whole study made up from its prior, or from an assumed truth: parameters, records (as counts of the
/// model's cells, or of a number's levels), noise, release.
struct SimulatedStudy {
  std::vector<double> theta;                       ///< in the order of the posterior's quantities
  std::vector<std::int64_t> counts;                ///< by cell or level, in the order of levels
  model::Sums sums;                                ///< of a number's records, before anything is clamped
  std::vector<std::vector<std::int64_t>> vectors;  ///< of a multivariate normal: k of each record, by column
  model::VectorSums vector_sums;                   ///< and of its numbers, before anything is clamped
  std::int64_t n = 0;                              ///< records that are kept
  std::int64_t outside = 0;  ///< of them, those with a number outside its column's range
  release::Release release;
};

/// Draws theta from the prior, n from its prior when it is private (uniform on 0..at_most) unless given,
/// records from theta, noise from the plan's laws. The owner's samplers are not involved: the laws are, so a
/// mismatch between the two is for the sampler fits to find.
[[nodiscard]] SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                                            std::optional<std::int64_t> n, Rng& rng);
/// The same with theta as it is assumed, drawn from the prior if it is not.
/// @pre theta is one that parse_truth gives for this study
[[nodiscard]] SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                                            std::optional<std::int64_t> n,
                                            const std::optional<std::vector<double>>& theta, Rng& rng);

}  // namespace postern::assess
