#include "postern/infer/kinds/number/gibbs/joint_number.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/core/truncated_draw.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/chains/slice.hpp"

namespace postern::infer {
namespace {

constexpr int kRedraws = 100;

}  // namespace

static_assert(Kernel<JointNumber>);

JointNumber::Set::Set(const NumberProblem& problem)
    : number(std::make_shared<const model::EncodedNumber>(problem.number)),
      kept(problem.law, problem.number, problem.whole),
      sum(problem.sums, problem.mirrored_sums),
      count(problem.counts),
      n(problem.total),
      lowest(static_cast<double>(problem.number.values.adds.front())),
      highest(static_cast<double>(problem.number.values.adds.back())),
      table(problem.law, number) {}

void JointNumber::Set::place_n(Sums& sums, double place) const {
  sums.place = place;
  sums.n = n.at(place);
  if (sums.sum.mirrors()) sums.sum.mirror_about(sums.n * highest);
}

double JointNumber::Set::log_likelihood(double records, const RecordMoments& record, NoisySum& seen) const {
  if (seen.mirrors()) seen.mirror_about(records * highest);
  return seen.log_likelihood(records * record.mean, records * record.variance);
}

JointNumber::JointNumber(const std::vector<NumberProblem>& problems)
    : law_(problems.front().law), prior_(problems.front().prior) {
  for (const NumberProblem& problem : problems) {
    if (problem.squares || problem.parameters != 1)
      throw Error(ErrorCode::engine_unsuitable, {"the joint gibbs engine of one sum needs one parameter"});
    sets_.emplace_back(problem);
    drops_ = drops_ || sets_.back().kept.drops();
  }
}

double JointNumber::log_prior(double free) const {
  const FreeParameter& map = this->free();
  return law_->log_prior(prior_, {map.to(free), 0}) + map.log_slope(free);
}

double JointNumber::log_others(double free, State& state, std::size_t set) const {
  double out = 0;
  for (std::size_t other = 0; other < sets_.size(); ++other) {
    if (other == set) continue;
    Sums& sums = state.sets[other];
    const RecordMoments record = sums.table.glance(free);
    out += sums.sum.log_likelihood(sums.n * record.mean, sums.n * record.variance);
  }
  return out;
}

void JointNumber::draw_theta_alone(State& state, Rng& rng) const {
  const FreeParameter& map = free();
  const auto log_density = [&](double free) {
    return log_prior(free) + log_others(free, state, sets_.size());
  };
  const double from = map.from(state.theta[0]);
  const SliceRange range{map.least(), map.most(), state.width};
  state.theta[0] = map.to(draw_slice(from, log_density(from), range, log_density, rng));
}

void JointNumber::draw_n(State& state, std::size_t set, Rng& rng) const {
  const Set& here = sets_[set];
  Sums& sums = state.sets[set];
  const RecordMoments record = sums.table.glance(free().from(state.theta[0]));
  const auto log_density = [&](double place) {
    const double n = here.n.at(place);
    return here.n.log_slope * n + here.count.log_density(n) + here.log_likelihood(n, record, sums.sum);
  };
  const double by_count = std::sqrt(here.count.noise_variance());
  const double spread = std::sqrt(std::min(here.sum.noise_variance(), 1e300) + sums.n * record.variance);
  const double by_sum = spread / std::max(std::abs(record.mean), 1e-9);
  const double most = here.n.most;
  const SliceRange range{-0.5, most + 0.5, std::clamp(2 * std::min(by_count, by_sum), 1.0, most + 1)};
  here.place_n(sums, draw_slice(sums.place, log_density(sums.place), range, log_density, rng));
}

/// theta moves and n with it, so that the mean of the sum stays where the sum was seen.
void JointNumber::draw_along_ridge(State& state, std::size_t set, Rng& rng) const {
  const Set& here = sets_[set];
  Sums& sums = state.sets[set];
  const FreeParameter& map = free();
  const double from = map.from(state.theta[0]);
  const double fixed = sums.place * sums.table.glance(from).mean;
  if (!(sums.place > 0) || fixed == 0) return;
  const auto log_density = [&](double at) {
    const RecordMoments record = sums.table.glance(at);
    const double place = fixed / record.mean;
    if (!(place > 0 && place < here.n.most + 0.5)) return kMinusInfinity;
    const double n = here.n.at(place);
    return log_prior(at) + log_others(at, state, set) + here.n.log_slope * n + here.count.log_density(n) +
           here.log_likelihood(n, record, sums.sum) - std::log(std::abs(record.mean));
  };
  const SliceRange range{map.least(), map.most(), state.width};
  const double drawn = draw_slice(from, log_density(from), range, log_density, rng);
  state.theta[0] = map.to(drawn);
  here.place_n(sums, drawn == from ? sums.place : fixed / sums.table.glance(drawn).mean);
}

/// s that records of the law can have: redrawn, and then from the normal cut where they begin; for what all
/// records of the law can have is a half-line, and what kept ones can have an interval.
int JointNumber::draw_sum(State& state, std::size_t set, double mean, double deviation, Rng& rng) const {
  const model::KeptRange& kept = sets_[set].kept;
  Sums& sums = state.sets[set];
  const auto possible = [&](double s) {
    if (!law_->possible({sums.n, s, 0})) return false;
    return !kept.drops() || (s >= sums.n * kept.from() && s <= sums.n * kept.to());
  };
  for (int attempt = 0; attempt < kRedraws; ++attempt) {
    sums.s = mean + deviation * draw_normal(rng);
    if (possible(sums.s)) return attempt;
  }
  if (kept.drops()) {
    const double least = sums.n * kept.from();
    const double most = sums.n * kept.to();
    const bool told_apart = deviation > 1e-9 * (most - least);
    sums.s =
        told_apart ? draw_truncated_normal(mean, deviation, least, most, rng) : std::clamp(mean, least, most);
    return kRedraws;
  }
  double inside = sums.n * law_->moments(state.theta).mean;
  double outside = sums.s;
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = 0.5 * (inside + outside);
    if (middle == inside || middle == outside) break;
    (possible(middle) ? inside : outside) = middle;
  }
  sums.s = draw_truncated_normal(mean, deviation, inside, HUGE_VAL, rng);
  return kRedraws;
}

/// c and s of one set.
int JointNumber::draw_sums(State& state, std::size_t set, Rng& rng) const {
  const Set& here = sets_[set];
  Sums& sums = state.sets[set];
  const RecordMoments record = sums.table.at(free().from(state.theta[0]));
  model::TwoMoments t;
  if (here.kept.drops()) {
    const SegmentMoments kept = here.kept.moments(state.theta);
    t = {kept.mean, kept.variance};
  } else {
    t = law_->moments(state.theta);
  }
  const double n = sums.n;
  sums.c = sums.sum.draw(n * record.mean, n * record.variance, n * here.lowest, n * here.highest, rng);
  // Cov(k, t)^2 <= Var k Var t, whatever the table's last digits say.
  const double slope = record.variance > 0 ? record.covariance / record.variance : 0;
  const double left = std::max(t.variance - slope * record.covariance, 0.0);
  const double shift =
      left > 0 || slope == 0 ? slope : std::copysign(std::sqrt(t.variance / record.variance), slope);
  return draw_sum(state, set, n * t.mean + shift * (sums.c - n * record.mean), std::sqrt(n * left), rng);
}

void JointNumber::draw_theta(State& state, Rng& rng) const {
  model::Sums all;
  for (const Sums& sums : state.sets) {
    all.n += sums.n;
    all.t += sums.s;
  }
  const model::Hyper after = law_->update(prior_, all);
  if (drops_) {
    std::vector<KeptRecords> records;
    for (std::size_t set = 0; set < sets_.size(); ++set)
      records.push_back({&sets_[set].kept, state.sets[set].n});
    step_kept_theta(*law_, 1, after, records, state.theta, rng);
  } else {
    state.theta = law_->draw_theta(after, rng);
  }
  const FreeParameter& map = free();
  state.theta[0] = std::clamp(state.theta[0], map.to(map.least()), map.to(map.most()));
}

JointNumber::Info JointNumber::step(State& state, Rng& rng) const {
  if (state.collapsed) draw_theta_alone(state, rng);
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (!sets_[set].n.latent) continue;
    draw_n(state, set, rng);
    draw_along_ridge(state, set, rng);
  }
  Info info;
  for (std::size_t set = 0; set < sets_.size(); ++set) info.redrawn += draw_sums(state, set, rng);
  draw_theta(state, rng);
  return info;
}

std::size_t JointNumber::quantities() const {
  return 1 + static_cast<std::size_t>(
                 std::count_if(sets_.begin(), sets_.end(), [](const Set& set) { return set.n.latent; }));
}

void JointNumber::read(const State& state, std::span<double> out) const {
  out[0] = state.theta[0];
  std::size_t at = 1;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (sets_[set].n.latent) out[at++] = state.sets[set].n;
  }
}

}  // namespace postern::infer
