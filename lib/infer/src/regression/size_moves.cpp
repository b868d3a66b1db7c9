#include "size_moves.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {
namespace {

constexpr int kTries = 2;  // of each kind, a sweep

/// Writes the unknowns that keep L to the proposal, and returns the logarithm of the map's Jacobian.
double keep_sums(const MomentTarget& target, MomentState& state, double n) {
  const double log_factor = 0.5 * std::log(state.n / n);
  const double factor = std::exp(log_factor);
  double log_jacobian = 0;
  const auto places = target.places();
  for (std::size_t u = 0; u < places.size(); ++u) {
    if (places[u].diagonal()) {
      state.proposal[u] = state.q[u] + log_factor;
    } else {
      state.proposal[u] = state.q[u] * factor;
      log_jacobian += log_factor;
    }
  }
  return log_jacobian;
}

/// One move; returns whether it was accepted.
bool move(const MomentTarget& target, MomentState& state, bool keeps_sums, double width, Rng& rng) {
  double change = std::round(width * draw_normal(rng));
  if (change == 0) change = rng.uniform() < 0.5 ? -1 : 1;
  const double n = state.n + change;
  if (n < target.least_n() || n > target.most_n()) return false;
  double log_jacobian = 0;
  if (keeps_sums) {
    log_jacobian = keep_sums(target, state, n);
  } else {
    state.proposal = state.q;
  }
  const double density = target.log_density(state.proposal, n, state.work);
  if (!(std::log(rng.uniform()) < density + log_jacobian - state.log_density)) return false;
  std::swap(state.q, state.proposal);
  state.n = n;
  state.log_density = density;
  return true;
}

}  // namespace

SizeMoves::Widths SizeMoves::widths(const MomentTarget& target) {
  double noise = 0.1 * target.most_n();
  for (const NoisyMoment& one : target.problem().moments) {
    if (one.i == 0 && one.j == 0) noise = std::min(noise, one.noise.scale);
  }
  const double log_width = std::log(std::max(noise, 0.5));
  return {{log_width, log_width}, true};
}

void SizeMoves::sweep(const MomentTarget& target, MomentState& state, Widths& widths, Rng& rng) {
  constexpr double kAccepted = 0.4;
  constexpr double kLearning = 0.05;
  for (int i = 0; i < 2 * kTries; ++i) {
    const std::size_t kind = i % 2 == 0 ? 0 : 1;
    double& log_width = widths.log_width[kind];
    const bool accepted = move(target, state, kind == 1, std::exp(log_width), rng);
    if (widths.tuning)
      log_width = std::clamp(log_width + kLearning * ((accepted ? 1 : 0) - kAccepted), -1.0, 30.0);
  }
  state.refresh(target);
}

}  // namespace postern::infer
