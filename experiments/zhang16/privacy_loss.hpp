#pragma once

#include <cstddef>

namespace postern::zhang16 {

// The privacy that methods really have, by integration: the largest log-ratio of output densities over all
// pairs of n records that differ in one. Real numbers, not doubles.

/// Of one posterior draw for naive Bayes with `features` features, uniform priors on [omega, 1 - omega],
/// likelihood to the power `tempering`.
[[nodiscard]] double draw_loss(std::size_t features, std::size_t n, double omega, double tempering);

/// Of Algorithm 3 as printed for one coin on [omega, 1 - omega]: density e^(epsilon posterior density / (2
/// sqrt L)) with L = ln((1 - omega) / omega).
[[nodiscard]] double algorithm_3_loss(std::size_t n, double omega, double epsilon);

/// How far the posterior density of the coin moves at most between 0 and 1 ones among n: Corollary 4 takes it
/// for sqrt L.
[[nodiscard]] double density_sensitivity(std::size_t n, double omega);

}  // namespace postern::zhang16
