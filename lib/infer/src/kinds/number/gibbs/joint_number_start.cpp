#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/gibbs/joint_number.hpp"

namespace postern::infer {
namespace {

/// How much wider than the sum's own spread noise may be before theta is drawn with the sums integrated out.
constexpr double kWideNoise = 2;
constexpr int kCandidates = 24;

}  // namespace

double JointNumber::log_start(double free, const State& state) const {
  double out = 0;
  for (const Sums& sums : state.sets) {
    const LevelMoments k = sums.table.directly(free);
    out += sums.sum.log_likelihood(sums.n * k.mean, sums.n * k.variance);
  }
  return out;
}

/// A free parameter in proportion to its likelihood, among draws from the prior and from what the sums would
/// say without noise.
double JointNumber::start(State& state, Rng& rng) const {
  model::Sums naive;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    const Set& here = sets_[set];
    const double n = state.sets[set].n;
    const model::LevelValues& values = here.number->values;
    const double seen = std::clamp(state.sets[set].sum.centre(), n * here.lowest, n * here.highest);
    naive.n += n;
    naive.t += n * values.zero + values.unit * seen;
  }
  const model::Hyper update = law_->possible(naive) ? law_->update(prior_, naive) : prior_;
  double total = kMinusInfinity;
  double chosen = 0;
  for (int i = 0; i < kCandidates; ++i) {
    const double candidate = free().from(law_->draw_theta(i % 2 == 0 ? prior_ : update, rng)[0]);
    const double weight = log_start(candidate, state);
    total = log_add_exp(total, weight);
    if (i == 0 || std::log(rng.uniform()) < weight - total) chosen = candidate;
  }
  return chosen;
}

JointNumber::State JointNumber::init(Rng& rng) const {
  State state;
  for (const Set& set : sets_) {
    Sums& sums = state.sets.emplace_back();
    sums.sum = set.sum;
    sums.table = set.table;
    set.place_n(sums, set.n.guess(set.count.seen() ? set.count.centre() : 0.5 * set.n.most));
  }
  state.theta = {free().to(start(state, rng)), 0};
  for (int i = 0; i < 4; ++i) draw_theta_alone(state, rng);
  size_slices(state);
  return state;
}

/// The free parameter's spread: that of the sum over the slope of its mean, which the covariance gives.
/// Precisions of the sets add up.
void JointNumber::size_slices(State& state) const {
  const double t_deviation = std::max(std::sqrt(law_->moments(state.theta).variance), 1e-300);
  double precision = 0;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    Sums& sums = state.sets[set];
    const RecordMoments record = sums.table.at(free().from(state.theta[0]));
    const double own = sums.n * record.variance;
    const double noise = sums.sum.noise_variance();
    state.collapsed = state.collapsed || sets_[set].n.latent || noise > kWideNoise * own;
    const double slope = sums.n * std::abs(record.covariance) / t_deviation;
    const double ratio = slope / std::max(std::sqrt(noise + own), 1e-300);
    precision += ratio * ratio;
  }
  state.width = std::clamp(2 / std::sqrt(std::max(precision, 1e-300)), 1e-6, 2.0);
}

}  // namespace postern::infer
