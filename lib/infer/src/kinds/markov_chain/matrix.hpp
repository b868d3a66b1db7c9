#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace postern::infer {

// A matrix of transitions, row-major by the state that is left. What follows subtracts nothing, so that
// states which are hardly ever left lose no digits (Grassmann 1985).

/// then = now x matrix: the law of the state one step later.
void take_step(std::span<const double> matrix, std::span<const double> now, std::span<double> then);

/// The share of time in each state in the long run.
[[nodiscard]] std::vector<double> stationary(std::vector<double> matrix, std::size_t states);

/// The expected number of steps from each state to one of the goal's.
[[nodiscard]] std::vector<double> steps_to(std::span<const double> matrix, const std::vector<bool>& goal);

}  // namespace postern::infer
