#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/release.hpp"
#include "postern/release/rounds.hpp"

namespace postern::assess {

/// A whole study made up from its prior, or from an assumed truth: parameters, records, noise, release.
struct SimulatedStudy {
  std::shared_ptr<const model::SimulatedRecords> records;  ///< with the true parameters
  std::int64_t n = 0;                                      ///< records that are kept
  release::Release release;

  [[nodiscard]] const std::vector<double>& theta() const { return records->theta(); }
};

/// Draws theta from the prior, n from its prior when it is private (uniform on 0..at_most) unless given,
/// records from theta, noise from the plan's laws. The owner's samplers are not involved: the laws are, so a
/// mismatch between the two is for the sampler fits to find. A plan in rounds is gone through as the gate
/// does, choices and all, so that what is calibrated has the selection in it; `fit` makes its tables.
[[nodiscard]] SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                                            std::optional<std::int64_t> n, Rng& rng,
                                            const release::Fit& fit = {});
/// The same with theta as it is assumed, drawn from the prior if it is not.
/// @pre theta is one that parse_truth gives for this study
[[nodiscard]] SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                                            std::optional<std::int64_t> n, const model::Assumed& theta,
                                            Rng& rng, const release::Fit& fit = {});

/// The same where the release is to choose the model: records are drawn from `truth`, a study of the same
/// columns that has one.
[[nodiscard]] SimulatedStudy simulate_choosing(const model::Study& study, const model::Study& truth,
                                               const model::NoisePlan& plan, std::optional<std::int64_t> n,
                                               Rng& rng, const release::Fit& fit);

}  // namespace postern::assess
