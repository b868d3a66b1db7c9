#include "trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kLength = 1.6;  // about a quarter of a turn, where z is standard normal
constexpr int kMostSteps = 100;

}  // namespace

MomentState::MomentState(const MomentTarget& target, std::vector<double> at, double records)
    : q(std::move(at)), n(records), slope(q.size()), work(target.width()) {
  for (std::vector<double>* scratch : {&proposal, &proposal_slope, &momentum, &whitened, &moved})
    scratch->resize(q.size());
  refresh(target);
}

void MomentState::refresh(const MomentTarget& target) {
  if (!q.empty()) log_density = target.gradient(q, n, work, slope);
}

double take_trajectory(const MomentTarget& target, MomentState& state, Rng& rng) {
  const double step = state.step * (0.9 + 0.2 * rng.uniform());
  const double length = kLength * (0.5 + rng.uniform());
  const int steps = std::clamp(static_cast<int>(std::lround(length / step)), 1, kMostSteps);
  double before = state.log_density;
  for (double& p : state.momentum) {
    p = draw_normal(rng);
    before -= 0.5 * p * p;
  }
  state.proposal = state.q;
  state.proposal_slope = state.slope;
  double density = state.log_density;
  const auto kick = [&](double amount) {
    multiply_transposed(state.factor, state.proposal_slope, state.whitened);
    for (std::size_t u = 0; u < state.q.size(); ++u) state.momentum[u] += amount * state.whitened[u];
  };
  kick(0.5 * step);
  for (int i = 0; i < steps && density != kMinusInfinity; ++i) {
    if (i > 0) kick(step);
    multiply(state.factor, state.momentum, state.moved);
    for (std::size_t u = 0; u < state.q.size(); ++u) state.proposal[u] += step * state.moved[u];
    density = target.gradient(state.proposal, state.n, state.work, state.proposal_slope);
  }
  if (density == kMinusInfinity) return 0;
  kick(0.5 * step);
  double after = density;
  for (const double p : state.momentum) after -= 0.5 * p * p;
  const double accepted = after >= before ? 1 : std::exp(after - before);
  if (std::isnan(accepted)) return 0;
  if (rng.uniform() < accepted) {
    std::swap(state.q, state.proposal);
    std::swap(state.slope, state.proposal_slope);
    state.log_density = density;
  }
  return accepted;
}

}  // namespace postern::infer
