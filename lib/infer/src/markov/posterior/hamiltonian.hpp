#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"
#include "postern/core/special.hpp"

namespace postern::infer::markov {

/// Where a chain of Hamiltonian Monte Carlo is, in coordinates in which the target is about as wide in every
/// direction, with the places that a trajectory writes to.
struct HamiltonianState {
  HamiltonianState() = default;
  explicit HamiltonianState(std::size_t size)
      : x(size), slope(size), proposal(size), proposal_slope(size), momentum(size) {}

  std::vector<double> x;
  std::vector<double> slope;  ///< of the log density at x
  double log_density = 0;
  double step = 0.3;  ///< of the leapfrog integrator
  std::vector<double> proposal, proposal_slope, momentum;
};

/// How far trajectories go: about a quarter of a turn where the target is normal.
inline constexpr double kTrajectory = 1.6;
inline constexpr int kMostLeapfrogs = 64;

/// From x, with the momentum that the state has, to `proposal`, whose slope and momentum are then the state's
/// proposal's. `gradient(x, slope)` returns the log density at x and writes its slope. Returns the density at
/// the end, minus infinity if it is that anywhere on the way.
template <class Gradient>
double integrate(HamiltonianState& state, double step, int steps, const Gradient& gradient) {
  state.proposal = state.x;
  state.proposal_slope = state.slope;
  const auto kick = [&](double amount) {
    for (std::size_t i = 0; i < state.x.size(); ++i) state.momentum[i] += amount * state.proposal_slope[i];
  };
  double density = state.log_density;
  kick(0.5 * step);
  for (int i = 0; i < steps; ++i) {
    if (i > 0) kick(step);
    for (std::size_t k = 0; k < state.x.size(); ++k) state.proposal[k] += step * state.momentum[k];
    density = gradient(std::span<const double>(state.proposal), std::span<double>(state.proposal_slope));
    if (!(density > kMinusInfinity)) return kMinusInfinity;
  }
  kick(0.5 * step);
  return density;
}

/// A fresh momentum; returns its energy.
inline double draw_momentum(HamiltonianState& state, Rng& rng) {
  double energy = 0;
  for (double& p : state.momentum) {
    p = draw_normal(rng);
    energy += 0.5 * p * p;
  }
  return energy;
}
inline double kinetic_energy(const HamiltonianState& state) {
  double energy = 0;
  for (const double p : state.momentum) energy += 0.5 * p * p;
  return energy;
}

/// One trajectory, refused where the density is minus infinity. Returns the probability with which it was
/// accepted.
template <class Gradient>
double take_trajectory(HamiltonianState& state, const Gradient& gradient, Rng& rng) {
  const double step = state.step * (0.8 + 0.4 * rng.uniform());
  const double length = kTrajectory * (0.5 + rng.uniform());
  const int steps = std::clamp(static_cast<int>(std::lround(length / step)), 1, kMostLeapfrogs);
  const double before = state.log_density - draw_momentum(state, rng);
  const double density = integrate(state, step, steps, gradient);
  if (!(density > kMinusInfinity)) return 0;
  const double accepted = std::min(1.0, std::exp(density - kinetic_energy(state) - before));
  if (std::isnan(accepted)) return 0;
  if (rng.uniform() < accepted) {
    std::swap(state.x, state.proposal);
    std::swap(state.slope, state.proposal_slope);
    state.log_density = density;
  }
  return accepted;
}

}  // namespace postern::infer::markov
