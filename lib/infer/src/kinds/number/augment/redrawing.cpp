#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"

// Theta and all records move together. Given theta the records have their law before and after, whether they
// follow theta (t = mean + deviation z, z kept) or are drawn afresh; so prior of theta and noise decide.
// Where n is latent it may move as well, theta the other way, so that the sum stays about what it is: noise
// on the count is often the widest of all.

namespace postern::infer {
namespace {

constexpr double kFromPrior = 0.15;  ///< share of proposals that are drawn from the prior
constexpr int kFollowings = 2;       ///< a step: following costs a fifth of the swaps

struct Line {
  double slope = 1;
  double shift = 0;
};

/// What takes a record's t under `from` to the t of the same place under `to`.
Line line_between(const model::NumberLaw& law, const model::Theta& to, const model::Theta& from) {
  const model::TwoMoments before = law.moments(from);
  const model::TwoMoments after = law.moments(to);
  const double slope = std::sqrt(after.variance) / std::sqrt(before.variance);
  return {slope, after.mean - slope * before.mean};
}

double within(double x, double most) { return std::min(std::max(x, -most), most); }

}  // namespace

bool shifts_and_scales(const model::NumberLaw& law, std::size_t parameters) {
  for (std::size_t p = 0; p < parameters; ++p) {
    if (law.space(p) == model::ParameterSpace::unit) return false;
  }
  const model::Theta reference{0.7, 2.5};
  for (const model::Theta& theta : {model::Theta{3.1, 0.4}, model::Theta{19, 30}, model::Theta{0.05, 1}}) {
    const Line line = line_between(law, theta, reference);
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

/// Can a walk pass here? At the ends of what doubles hold, theta stands for all that lies beyond, which has
/// a mass and no density; such a theta is left and reached by draws alone.
bool RecordChain::walkable(const model::Theta& theta, std::size_t parameter) const {
  const double value = theta[parameter];
  if (flat(theta)) return false;
  switch (problem_.law->space(parameter)) {
    case model::ParameterSpace::real:
      return std::abs(value) < 1e300;
    case model::ParameterSpace::positive:
      return value > 1e-300 && value < 1e300;
    case model::ParameterSpace::unit:
      return value > 1e-300 && value < 1 - 0x1p-40;  // 1 - theta needs digits
  }
  return false;
}

RecordChain::ThetaProposal RecordChain::walk(const State& state, std::size_t parameter, double step) const {
  const model::NumberLaw& law = *problem_.law;
  ThetaProposal out{state.theta, 0};
  double& theta = out.theta[parameter];
  const double before = state.theta[parameter];
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
  if (!walkable(state.theta, parameter) || !walkable(out.theta, parameter)) {
    out.log_ratio = kMinusInfinity;
    return out;
  }
  out.log_ratio += law.log_prior(state.prior, out.theta) - law.log_prior(state.prior, state.theta) +
                   log_others(state, out.theta);
  return out;
}

/// Of the prior over the mixture that leap draws from.
double RecordChain::log_leap(const State& state, const model::Theta& theta) const {
  const model::NumberLaw& law = *problem_.law;
  const double more = law.log_prior(*informed_, theta) - law.log_prior(state.prior, theta);
  return std::log(2.0) - log_add_exp(0, more);
}

/// From the prior; every other time from one that has seen a record, where the prior is so vague that its
/// draws are hardly ever near to what was seen.
RecordChain::ThetaProposal RecordChain::leap(const State& state, Rng& rng) const {
  const bool informed = informed_ && rng.uniform() < 0.5;
  ThetaProposal out{problem_.law->draw_theta(informed ? *informed_ : state.prior, rng), 0};
  out.log_ratio = log_others(state, out.theta);
  if (informed_) out.log_ratio += log_leap(state, out.theta) - log_leap(state, state.theta);
  return out;
}

std::optional<Totals> RecordChain::follow(State& state, const model::Theta& theta, std::size_t size,
                                          Rng& rng) const {
  state.other_mass = mass_at(theta);
  if (!state.other_mass.any()) return std::nullopt;
  state.other_t.resize(size);
  state.other_k.resize(size);
  const bool follows = shifts_and_scales_ && !flat(theta) && !flat(state.theta);
  const std::size_t kept = follows ? std::min(size, state.t.size()) : 0;
  if (kept > 0) {
    const Line line = line_between(*problem_.law, theta, state.theta);
    if (!std::isfinite(line.slope) || !std::isfinite(line.shift)) return std::nullopt;
    const double* from = state.t.data();
    double* t = state.other_t.data();
    std::int32_t* k = state.other_k.data();
    for (std::size_t i = 0; i < kept; ++i) t[i] = within(line.slope * from[i] + line.shift, farthest_);
    for (std::size_t i = 0; i < kept; ++i) k[i] = finder_.adds(t[i]);
  }
  draw_records(state.other_mass, tabulate(state, theta, size - kept), std::span(state.other_t).subspan(kept),
               std::span(state.other_k).subspan(kept), rng);
  return add_up(state.other_k);
}

void RecordChain::take(State& state, const model::Theta& theta, const Totals& totals) {
  std::swap(state.t, state.other_t);
  std::swap(state.k, state.other_k);
  std::swap(state.mass, state.other_mass);
  state.theta = theta;
  state.totals = totals;
}

/// Tries theta and as many records as `size` against e^log_u; a log_u that is no number is a rejection.
bool RecordChain::try_records(State& state, const model::Theta& theta, std::size_t size, double log_u,
                              Rng& rng) const {
  // What no sums could repair needs no records.
  if (!(log_u < noise_.max_log_gain(static_cast<double>(size), state.totals))) return false;
  const std::optional<Totals> next = follow(state, theta, size, rng);
  if (!next || !(log_u < log_ratio(*next, state))) return false;
  take(state, theta, *next);
  return true;
}

void RecordChain::redraw(State& state, std::size_t parameter, Rng& rng) const {
  const std::size_t n = state.t.size();
  const double log_u = std::log(rng.uniform());
  if (!state.alone && flat(state.theta)) return;
  if (rng.uniform() < kFromPrior) {
    const ThetaProposal proposal = leap(state, rng);
    if (!state.alone && flat(proposal.theta)) return;
    (void)try_records(state, proposal.theta, n, log_u - proposal.log_ratio, rng);
    return;
  }
  // A few sizes of steps about the tuned one: no posterior is so odd that none fits.
  double& log_scale = state.tuning.log_scale[parameter];
  const double size = std::exp(log_scale + 2 * (rng.uniform() - 0.6));
  const ThetaProposal proposal = walk(state, parameter, size * draw_normal(rng));
  const bool accepted = try_records(state, proposal.theta, n, log_u - proposal.log_ratio, rng);
  if (state.tuning.steps == kTuning) return;
  double& rate = state.tuning.redraw_rate[parameter];
  rate += 0.05 * ((accepted ? 1 : 0) - rate);
  log_scale += 20.0 / (20 + state.tuning.steps) * ((accepted ? 1 : 0) - 0.35);
  log_scale = std::clamp(log_scale, -30.0, 30.0);
}

void RecordChain::redraw_in_turn(State& state, Rng& rng) const {
  Tuning& tuning = state.tuning;
  for (std::size_t p = 0; p < problem_.parameters; ++p) {
    if (++tuning.waited[p] <= tuning.pause[p]) continue;
    tuning.waited[p] = 0;
    for (int i = 0; i < (shifts_and_scales_ ? kFollowings : 1); ++i) redraw(state, p, rng);
  }
}

/// From n to n + m or n - m records, and the first parameter with them. Back from there the same m undoes it.
void RecordChain::slide(State& state, Rng& rng) const {
  const double change = draw_change(rng);
  const double n = state.totals.n;
  const double size = n + change;
  if (n == 0 || size <= 0 || size > most_) return;
  const double stretch = std::log(n / size);  // what the mean of k should become, as a factor
  const model::NumberLaw& law = *problem_.law;
  ThetaProposal proposal;
  if (law.space(0) == model::ParameterSpace::real) {
    const double zero = problem_.number.values.zero;
    const double width = problem_.number.edges.back() - problem_.number.edges.front();
    proposal = walk(state, 0, (state.theta[0] - zero) * std::expm1(stretch) / width);
    proposal.log_ratio += stretch;
  } else {
    proposal = walk(state, 0, rising_ ? stretch : -stretch);
  }
  const double slope = std::get<LatentTotal>(problem_.total).log_slope;
  (void)try_records(state, proposal.theta, static_cast<std::size_t>(size),
                    std::log(rng.uniform()) - proposal.log_ratio - slope * change, rng);
}

}  // namespace postern::infer
