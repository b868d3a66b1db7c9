#pragma once

#include <cstddef>

namespace postern::assess {

// How large the noise on a network's counts can be (Zhang et al. 2016, Proposition 1): z with
// P(max |noise| <= z) >= 1 - delta over all cells at once. Counts that are clipped to a range that holds the
// truth err no more. Public: no count is looked at.

/// Independent Laplace noise on every cell of every family's table.
struct CellNoise {
  double rate = 0;  ///< epsilon / sensitivity; of discrete noise the pmf falls by e^-rate a step
  std::size_t cells = 0;
};

/// Of continuous noise, by the union bound: the printed formula.
[[nodiscard]] double continuous_noise_bound(const CellNoise& noise, double delta);
/// Of integer noise, by the union bound.
[[nodiscard]] double discrete_noise_union_bound(const CellNoise& noise, double delta);
/// Of integer noise: the least integer for which it holds.
[[nodiscard]] double discrete_noise_bound(const CellNoise& noise, double delta);

// All fail with `usage` for a rate that is not positive and finite, no cell, or delta outside (0, 1).

}  // namespace postern::assess
