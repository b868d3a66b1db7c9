#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

#include "joint_squares_limits.hpp"

namespace postern::infer {
namespace {

/// How much wider than the sums' own spread noise may be before theta is drawn with the sums integrated out.
constexpr double kWideNoise = 2;
constexpr int kCandidates = 24;

}  // namespace

/// The prior after what the sums would say without noise.
model::Hyper JointSquares::naive_update(const State& state) const {
  model::Sums all;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    const Set& here = sets_[set];
    const Sums& sums = state.sets[set];
    if (!(sums.n > 0)) continue;
    const double sum = std::clamp(sums.seen[0].y, sums.n * here.lowest, sums.n * here.highest);
    const double least = sum * (sum / sums.n) * (1 + 1e-9);
    const double most = sums.n * std::max(here.lowest * here.lowest, here.highest * here.highest);
    all.n += sums.n;
    all.t += sum;
    all.squares += std::clamp(sums.seen[1].y, least, std::max(least, most));
  }
  return all.n > 0 && law_->possible(all) ? law_->update(prior_, all) : prior_;
}

double JointSquares::log_start(double mean, double log_variance, const State& state) const {
  double out = 0;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    const Sums& sums = state.sets[set];
    const LevelMoments k = state.tables[sets_[set].table].directly(mean, log_variance);
    const SquareMoments record{k.mean, k.variance, k.third, k.fourth - k.variance * k.variance, {}};
    out += log_likelihood(sums.n, record, sums);
  }
  return out;
}

/// theta in proportion to its likelihood, among draws from the prior and from what the sums would say without
/// noise.
void JointSquares::start(State& state, Rng& rng) const {
  const model::Hyper naive = naive_update(state);
  double total = kMinusInfinity;
  for (int i = 0; i < kCandidates; ++i) {
    const model::Theta drawn = law_->draw_theta(i % 2 == 0 ? prior_ : naive, rng);
    const double log_variance = std::clamp(std::log(drawn[1]), -kMostLogVariance, kMostLogVariance);
    const double weight = log_start(drawn[0], log_variance, state);
    total = log_add_exp(total, weight);
    if (i > 0 && std::log(rng.uniform()) >= weight - total) continue;
    state.mean = drawn[0];
    state.log_variance = log_variance;
  }
}

JointSquares::State JointSquares::init(Rng& rng) const {
  State state;
  state.tables = tables_;
  for (const Set& set : sets_) {
    Sums& sums = state.sets.emplace_back();
    sums.place = set.n.guess(set.count.seen() ? set.count.centre() : 0.5 * set.n.most);
    sums.n = set.n.at(sums.place);
    for (std::size_t j = 0; j < 2; ++j) {
      for (const NoisyValue& noisy_value : set.noisy_values[j]) {
        if (const double rate = release::shape(noisy_value.law).rate; rate > 0)
          sums.noise[j].push_back(2 / (rate * rate));
      }
    }
    weigh(sums, set);
  }
  start(state, rng);
  size_slices(state);
  for (int i = 0; i < 4; ++i) draw_theta_alone(state, rng);
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    Sums& sums = state.sets[set];
    const SquareMoments record = state.tables[sets_[set].table].at(state.mean, state.log_variance);
    const double n = std::max(sums.n, 1.0);
    state.collapsed = state.collapsed || sets_[set].n.latent ||
                      1 > kWideNoise * n * record.variance * sums.seen[0].precision ||
                      1 > kWideNoise * n * record.square_variance * sums.seen[1].precision;
    sums.sum = sums.n * state.mean;
    sums.scatter = sums.n * std::exp(state.log_variance);
  }
  return state;
}

/// Two deviations of theta, were nothing clamped: precisions of the sets add up.
void JointSquares::size_slices(State& state) const {
  const double v = std::exp(state.log_variance);
  double of_mean = 0;
  double of_variance = 0;
  for (const Sums& sums : state.sets) {
    const double n = std::max(sums.n, 1.0);
    const double noise = 1 / std::max(sums.seen[0].precision, 1e-300);
    const double square_noise = 1 / std::max(sums.seen[1].precision, 1e-300);
    of_mean += 1 / (v / n + noise / (n * n));
    of_variance += 1 / (2 / n + square_noise / (n * n * v * v));
  }
  state.width = {2 * std::min(1 / std::sqrt(of_mean), std::sqrt(v)),
                 std::clamp(2 / std::sqrt(of_variance), 1e-6, 1.0)};
}

}  // namespace postern::infer
