#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "postern/core/units.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::app {

/// A coordinate's true change between two neighbours, and its noise.
struct LatticeShift {
  std::int64_t change = 0;
  release::NoiseLaw law;
};

/// A zCDP audit measures mu of a threshold test against mu = sqrt(2 rho) of a Gaussian, and Gaussian noise on
/// the integers is not quite Gaussian. This is the largest mu that any threshold on sum_j change_j y_j can
/// see, divided by |change| / sigma: about 1.05 at sigma = 1, towards 1 above. 1 for Laplace noise, whose
/// epsilon needs no allowance.
[[nodiscard]] double lattice_excess(std::span<const LatticeShift> shifts);

/// Runs a side at which halved noise is seen almost surely at alpha = 1e-6: twice (half the runs choose the
/// event) 1.4 times 350 / epsilon^2 or 550 / mu^2, and at least 4000 (lib/assess/src/audit_stat.md).
[[nodiscard]] std::size_t recommended_runs(const Spend& cost);

}  // namespace postern::app
