#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/release/record_set.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// Adds the choices of a release by posterior-draw or map, each with the law it was made by: the public grid,
/// the scale and the prior of the release's own study. Throws release_inconsistent for one that is no split
/// of this network's tables.
void add_choices(NetworkProblem& problem, const release::Release& release);

/// Whether the tables engine can weigh a problem's choices in reasonable time.
[[nodiscard]] bool few_enough_choices(const NetworkProblem& problem);

/// Whether there is anything beside choices: noisy counts or coefficients.
[[nodiscard]] bool holds_measurements(const NetworkProblem& problem);
/// Says of every release whose choices a posterior leaves out that it does.
[[nodiscard]] std::vector<Warning> ignored_choices_warnings(const std::vector<release::RecordSet>& sets);

}  // namespace postern::infer
