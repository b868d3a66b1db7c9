#pragma once

#include <vector>

#include "postern/core/rng.hpp"

#include "chains/step_tuning.hpp"
#include "target.hpp"

namespace postern::infer {

/// Where a chain on moments is, with all that its steps write to.
struct MomentState {
  MomentState(const MomentTarget& target, std::vector<double> at, double records);

  std::vector<double> q;
  double n = 0;
  double log_density = 0;
  std::vector<double> slope;  ///< of the log density at q
  MomentWorkspace work;
  Matrix factor;      ///< of the inverse metric: q = factor z, and z moves as if it were standard normal
  double step = 0.3;  ///< of the leapfrog integrator
  std::vector<double> proposal, proposal_slope, momentum, whitened, moved;

  /// Evaluates density and slope at q, after q or n were changed from outside.
  void refresh(const MomentTarget& target);
};

/// One trajectory of Hamiltonian Monte Carlo with the state's metric and step, about a quarter of a turn
/// long. Returns the probability with which it was accepted.
double take_trajectory(const MomentTarget& target, MomentState& state, Rng& rng);

}  // namespace postern::infer
