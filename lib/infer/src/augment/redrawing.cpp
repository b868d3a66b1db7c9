#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/infer/augment/record_chain.hpp"

// Theta and all records move together. Given theta the records have their law before and after, whether they
// follow theta (t = mean + deviation z, z kept) or are drawn afresh; so prior of theta and noise decide.

namespace postern::infer {
namespace {

constexpr double kFromPrior = 0.15;  ///< share of proposals that are drawn from the prior
constexpr int kFollowings = 2;       ///< a step: following costs a fifth of the swaps

struct Line {
  double slope = 1;
  double shift = 0;
};

/// What takes a record's t under `from` to the t of the same place under `to`.
Line follow(const model::NumberLaw& law, const model::Theta& to, const model::Theta& from) {
  const model::TwoMoments before = law.moments(from);
  const model::TwoMoments after = law.moments(to);
  const double slope = std::sqrt(after.variance) / std::sqrt(before.variance);
  return {slope, after.mean - slope * before.mean};
}

}  // namespace

bool shifts_and_scales(const model::NumberLaw& law, std::size_t parameters) {
  for (std::size_t p = 0; p < parameters; ++p) {
    if (law.space(p) == model::ParameterSpace::unit) return false;
  }
  const model::Theta reference{0.7, 2.5};
  for (const model::Theta& theta : {model::Theta{3.1, 0.4}, model::Theta{19, 30}, model::Theta{0.05, 1}}) {
    const Line line = follow(law, theta, reference);
    const model::TwoMoments moments = law.moments(reference);
    for (const double z : {-2.0, -0.9, -0.3, 0.1, 0.8, 2.3}) {
      const double t = moments.mean + z * std::sqrt(moments.variance);
      const double here = law.tails(reference, t).below;
      const double there = law.tails(theta, line.slope * t + line.shift).below;
      if (!(std::abs(here - there) < 1e-9)) return false;
    }
  }
  return true;
}

RecordChain::ThetaProposal RecordChain::propose_theta(const State& state, std::size_t parameter,
                                                      Rng& rng) const {
  const model::NumberLaw& law = *problem_.law;
  if (rng.uniform() < kFromPrior) return {law.draw_theta(problem_.prior, rng), 0, false};
  // A few sizes of steps about the tuned one: no posterior is so odd that none fits.
  const double size = std::exp(state.tuning.log_scale[parameter] + 2 * (rng.uniform() - 0.6));
  const double step = size * draw_normal(rng);
  ThetaProposal out{state.theta, 0, true};
  double& theta = out.theta[parameter];
  const double before = theta;
  switch (law.space(parameter)) {
    case model::ParameterSpace::real:
      theta += step * (problem_.number.edges.back() - problem_.number.edges.front());
      break;
    case model::ParameterSpace::positive:
      theta *= std::exp(step);
      out.log_ratio = step;
      break;
    case model::ParameterSpace::unit:
      theta = 1 / (1 + (1 - before) / before * std::exp(-step));
      out.log_ratio = std::log(theta / before) + std::log1p(-theta) - std::log1p(-before);
      break;
  }
  if (!(std::abs(theta) < 1e300) || theta == 0 ||
      (law.space(parameter) == model::ParameterSpace::unit && theta >= 1)) {
    out.log_ratio = std::nan("");
  } else {
    out.log_ratio += law.log_prior(problem_.prior, out.theta) - law.log_prior(problem_.prior, state.theta);
  }
  return out;
}

void RecordChain::redraw(State& state, std::size_t parameter, Rng& rng) const {
  const ThetaProposal proposal = propose_theta(state, parameter, rng);
  double& rate = state.tuning.redraw_rate[parameter];
  double& log_scale = state.tuning.log_scale[parameter];
  bool accepted = false;
  const double log_u = std::log(rng.uniform()) - proposal.log_ratio;
  const std::size_t n = state.t.size();
  // A ratio that is no number, and a bound that no sums could reach, need no records.
  if (log_u < noise_.room(state.totals.n, state.totals)) {
    state.other_k.resize(n);
    Line line;
    if (shifts_and_scales_) {
      line = follow(*problem_.law, proposal.theta, state.theta);
      const double* t = state.t.data();
      std::int32_t* k = state.other_k.data();
      for (std::size_t i = 0; i < n; ++i) k[i] = finder_.adds(line.slope * t[i] + line.shift);
    } else {
      state.other_t.resize(n);
      draw_records(proposal.theta, tabulate(state, proposal.theta, n), state.other_t, state.other_k, rng);
    }
    const Totals next = add_up(state.other_k);
    accepted = std::isfinite(line.slope) && std::isfinite(line.shift) &&
               log_u < noise_.log_ratio(next, state.totals);
    if (accepted) {
      if (shifts_and_scales_) {
        for (double& t : state.t) t = std::clamp(line.slope * t + line.shift, -farthest_, farthest_);
      } else {
        std::swap(state.t, state.other_t);
      }
      std::swap(state.k, state.other_k);
      state.theta = proposal.theta;
      state.totals = next;
    }
  }
  if (state.tuning.steps < kTuning && proposal.walked) {
    rate += 0.05 * ((accepted ? 1 : 0) - rate);
    log_scale += 20.0 / (20 + state.tuning.steps) * ((accepted ? 1 : 0) - 0.35);
    log_scale = std::clamp(log_scale, -30.0, 30.0);
  }
}

void RecordChain::redraw_in_turn(State& state, Rng& rng) const {
  Tuning& tuning = state.tuning;
  for (std::size_t p = 0; p < problem_.parameters; ++p) {
    if (++tuning.waited[p] <= tuning.pause[p]) continue;
    tuning.waited[p] = 0;
    for (int i = 0; i < (shifts_and_scales_ ? kFollowings : 1); ++i) redraw(state, p, rng);
  }
}

}  // namespace postern::infer
