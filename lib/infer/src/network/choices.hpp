#pragma once

#include "postern/infer/network/problem.hpp"
#include "postern/model/study.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// Adds the choices of a release by posterior-draw or map, each with the law it was made by: the public grid,
/// the scale and the prior of the release's own study. `study` has the network as its model. Throws
/// release_inconsistent for one that is no split of this network's tables.
void add_choices(NetworkProblem& problem, const release::Release& release, const model::Study& study);

/// Whether the tables engine can weigh a problem's choices in reasonable time.
[[nodiscard]] bool few_enough_choices(const NetworkProblem& problem);

}  // namespace postern::infer
