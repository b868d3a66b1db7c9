#include "postern/infer/gibbs/joint_number.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/core/truncated_draw.hpp"
#include "postern/infer/driver.hpp"
#include "postern/infer/gibbs/slice.hpp"

namespace postern::infer {
namespace {

/// How much wider than the sum's own spread noise may be before theta is drawn with the sums integrated out.
constexpr double kWideNoise = 2;
constexpr int kCandidates = 24;
constexpr int kRedraws = 100;

}  // namespace

static_assert(Kernel<JointNumber>);

JointNumber::JointNumber(const NumberProblem& problem)
    : law_(problem.law),
      number_(std::make_shared<const model::EncodedNumber>(problem.number)),
      prior_(problem.prior),
      sum_(problem.sums, problem.mirrored_sums),
      count_(problem.counts),
      n_(problem.total),
      lowest_(static_cast<double>(problem.number.values.adds.front())),
      highest_(static_cast<double>(problem.number.values.adds.back())) {
  if (problem.squares || problem.parameters != 1)
    throw Error(ErrorCode::engine_unsuitable, {"the joint gibbs engine of one sum needs one parameter"});
  if (number_->below < 0 || number_->above < 0)
    throw Error(ErrorCode::engine_unsuitable,
                {"the gibbs engine cannot tell how many records were dropped for lying outside the column"});
  table_ = MomentTable(law_, number_);
}

void JointNumber::set_n(State& state, double place) const {
  state.place = place;
  state.n = n_.at(place);
  if (state.sum.mirrors()) state.sum.mirror_about(state.n * highest_);
}

double JointNumber::log_likelihood(double n, const RecordMoments& record, NoisySum& sum) const {
  if (sum.mirrors()) sum.mirror_about(n * highest_);
  return sum.log_likelihood(n * record.mean, n * record.variance);
}

double JointNumber::log_prior(double free) const {
  const FreeParameter& map = table_.free();
  return law_->log_prior(prior_, {map.to(free), 0}) + map.log_slope(free);
}

void JointNumber::draw_theta_alone(State& state, Rng& rng) const {
  const FreeParameter& map = table_.free();
  const auto log_density = [&](double free) {
    const RecordMoments record = state.table.glance(free);
    return log_prior(free) + state.sum.log_likelihood(state.n * record.mean, state.n * record.variance);
  };
  const double free = map.from(state.theta[0]);
  const SliceRange range{map.least(), map.most(), state.width};
  state.theta[0] = map.to(draw_slice(free, log_density(free), range, log_density, rng));
}

void JointNumber::draw_n(State& state, Rng& rng) const {
  const RecordMoments record = state.table.glance(table_.free().from(state.theta[0]));
  const auto log_density = [&](double place) {
    const double n = n_.at(place);
    return n_.log_slope * n + count_.log_density(n) + log_likelihood(n, record, state.sum);
  };
  const double by_count = std::sqrt(count_.noise_variance());
  const double spread = std::sqrt(std::min(sum_.noise_variance(), 1e300) + state.n * record.variance);
  const double by_sum = spread / std::max(std::abs(record.mean), 1e-9);
  const SliceRange range{-0.5, n_.most + 0.5, std::clamp(2 * std::min(by_count, by_sum), 1.0, n_.most + 1)};
  set_n(state, draw_slice(state.place, log_density(state.place), range, log_density, rng));
}

/// theta moves and n with it, so that the mean of the sum stays where the sum was seen.
void JointNumber::draw_along_ridge(State& state, Rng& rng) const {
  const FreeParameter& map = table_.free();
  const double free = map.from(state.theta[0]);
  const double fixed = state.place * state.table.glance(free).mean;
  if (!(state.place > 0) || fixed == 0) return;
  const auto log_density = [&](double at) {
    const RecordMoments record = state.table.glance(at);
    const double place = fixed / record.mean;
    if (!(place > 0 && place < n_.most + 0.5)) return kMinusInfinity;
    const double n = n_.at(place);
    return log_prior(at) + n_.log_slope * n + count_.log_density(n) + log_likelihood(n, record, state.sum) -
           std::log(std::abs(record.mean));
  };
  const SliceRange range{map.least(), map.most(), state.width};
  const double drawn = draw_slice(free, log_density(free), range, log_density, rng);
  state.theta[0] = map.to(drawn);
  set_n(state, drawn == free ? state.place : fixed / state.table.glance(drawn).mean);
}

/// s that records of the law can have: redrawn, and then, since the set of them is a half-line, from the
/// normal cut where it begins.
int JointNumber::draw_sum(State& state, double mean, double deviation, Rng& rng) const {
  const auto possible = [&](double s) { return law_->possible({state.n, s, 0}); };
  for (int attempt = 0; attempt < kRedraws; ++attempt) {
    state.s = mean + deviation * draw_normal(rng);
    if (possible(state.s)) return attempt;
  }
  double inside = state.n * law_->moments(state.theta).mean;
  double outside = state.s;
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = 0.5 * (inside + outside);
    if (middle == inside || middle == outside) break;
    (possible(middle) ? inside : outside) = middle;
  }
  state.s = draw_truncated_normal(mean, deviation, inside, HUGE_VAL, rng);
  return kRedraws;
}

double JointNumber::log_start(double free, const State& state) const {
  const LevelMoments k = state.table.directly(free);
  return state.sum.log_likelihood(state.n * k.mean, state.n * k.variance);
}

/// A free parameter in proportion to its likelihood, among draws from the prior and from what the sums would
/// say without noise.
double JointNumber::start(State& state, Rng& rng) const {
  const FreeParameter& map = table_.free();
  const model::LevelValues& values = number_->values;
  const double seen = std::clamp(state.sum.centre(), state.n * lowest_, state.n * highest_);
  const model::Sums naive{state.n, state.n * values.zero + values.unit * seen, 0};
  const model::Hyper update = law_->possible(naive) ? law_->update(prior_, naive) : prior_;
  double total = kMinusInfinity;
  double chosen = 0;
  for (int i = 0; i < kCandidates; ++i) {
    const double free = map.from(law_->draw_theta(i % 2 == 0 ? prior_ : update, rng)[0]);
    const double weight = log_start(free, state);
    total = log_add_exp(total, weight);
    if (i == 0 || std::log(rng.uniform()) < weight - total) chosen = free;
  }
  return chosen;
}

JointNumber::State JointNumber::init(Rng& rng) const {
  State state;
  state.sum = sum_;
  state.table = table_;
  set_n(state, n_.guess(count_.seen() ? count_.centre() : 0.5 * n_.most));
  const FreeParameter& map = table_.free();
  state.theta = {map.to(start(state, rng)), 0};
  for (int i = 0; i < 4; ++i) draw_theta_alone(state, rng);
  const RecordMoments record = state.table.at(map.from(state.theta[0]));
  const double own = state.n * record.variance;
  const double noise = state.sum.noise_variance();
  state.collapsed = n_.latent || noise > kWideNoise * own;
  // The free parameter's spread: that of the sum over the slope of its mean, which the covariance gives.
  const double t_deviation = std::sqrt(law_->moments(state.theta).variance);
  const double slope = state.n * std::abs(record.covariance) / std::max(t_deviation, 1e-300);
  state.width = std::clamp(2 * std::sqrt(noise + own) / std::max(slope, 1e-300), 1e-6, 2.0);
  return state;
}

JointNumber::Info JointNumber::step(State& state, Rng& rng) const {
  if (state.collapsed) draw_theta_alone(state, rng);
  if (n_.latent) {
    draw_n(state, rng);
    draw_along_ridge(state, rng);
  }
  const RecordMoments record = state.table.at(table_.free().from(state.theta[0]));
  const auto [mean, variance] = law_->moments(state.theta);
  const double n = state.n;
  state.c = state.sum.draw(n * record.mean, n * record.variance, n * lowest_, n * highest_, rng);
  // Cov(k, t)^2 <= Var k Var t, whatever the table's last digits say.
  const double slope = record.variance > 0 ? record.covariance / record.variance : 0;
  const double left = std::max(variance - slope * record.covariance, 0.0);
  const double shift =
      left > 0 || slope == 0 ? slope : std::copysign(std::sqrt(variance / record.variance), slope);
  Info info;
  info.redrawn = draw_sum(state, n * mean + shift * (state.c - n * record.mean), std::sqrt(n * left), rng);
  const FreeParameter& map = table_.free();
  state.theta = law_->draw_theta(law_->update(prior_, {n, state.s, 0}), rng);
  state.theta[0] = std::clamp(state.theta[0], map.to(map.least()), map.to(map.most()));
  return info;
}

void JointNumber::read(const State& state, std::span<double> out) const {
  out[0] = state.theta[0];
  if (n_.latent) out[1] = state.n;
}

}  // namespace postern::infer
