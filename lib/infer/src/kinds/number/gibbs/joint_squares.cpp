#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/chains/slice.hpp"
#include "postern/infer/noise/scale_mixture.hpp"

#include "joint_squares_limits.hpp"
#include "square_blocks.hpp"

namespace postern::infer {
namespace {

constexpr int kSeenRedraws = 20;
constexpr double kSlack = 1e-9;  ///< for rounding, in k

/// The column with its edges counted in units of k from the level of k = 0.
model::EncodedNumber in_units(model::EncodedNumber number) {
  for (double& edge : number.edges) edge = (edge - number.values.zero) / number.values.unit;
  return number;
}

}  // namespace

static_assert(Kernel<JointSquares>);

JointSquares::Set::Set(const NumberProblem& problem, std::size_t its_table)
    : noisy_values{problem.sums, problem.square_sums},
      count(problem.counts),
      n(problem.total),
      kept(problem.law, in_units(problem.number), problem.whole),
      lowest(static_cast<double>(problem.number.values.adds.front())),
      highest(static_cast<double>(problem.number.values.adds.back())),
      table(its_table) {}

std::size_t JointSquares::table_for(const std::vector<NumberProblem>& problems, std::size_t set) {
  const model::EncodedNumber& number = problems[set].number;
  for (std::size_t other = 0; other < set; ++other) {
    const model::EncodedNumber& known = problems[other].number;
    if (known.below == number.below && known.above == number.above && known.edges == number.edges)
      return sets_[other].table;
  }
  tables_.emplace_back(law_, std::make_shared<const model::EncodedNumber>(number));
  return tables_.size() - 1;
}

JointSquares::JointSquares(const std::vector<NumberProblem>& problems)
    : law_(problems.front().law), values_(problems.front().number.values) {
  for (const NumberProblem& problem : problems) {
    if (!problem.squares || problem.parameters != 2 || !problem.mirrored_sums.empty())
      throw Error(ErrorCode::engine_unsuitable, {"the gibbs engine of numbers is for a mean and a variance"});
    if (problem.number.values.unit != values_.unit || problem.number.values.zero != values_.zero)
      throw Error(ErrorCode::engine_unsuitable, {"the gibbs engine needs record sets of the same levels"});
    sets_.emplace_back(problem, table_for(problems, sets_.size()));
    drops_ = drops_ || sets_.back().kept.drops();
  }
  const auto& law = static_cast<const model::SquaresLaw&>(*law_);
  prior_ = law.in_units(problems.front().prior, values_.zero, values_.unit);
}

void JointSquares::weigh(Sums& sums, const Set& set) {
  for (std::size_t j = 0; j < 2; ++j) {
    Seen& out = sums.seen[j];
    out = {};
    auto latent = sums.noise[j].begin();
    double weighted = 0;
    for (const NoisyValue& noisy_value : set.noisy_values[j]) {
      const release::NoiseShape falls = release::shape(noisy_value.law);
      const double precision = falls.rate > 0 ? 1 / *latent++ : falls.precision;
      out.precision += precision;
      weighted += precision * noisy_value.y;
    }
    if (out.precision > 0) out.y = weighted / out.precision;
  }
}

double JointSquares::log_likelihood(double n, const SquareMoments& record, const Sums& sums) {
  return SquareBlocks(n, record, sums.seen[0].precision, sums.seen[1].precision)
      .log_likelihood(sums.seen[0].y, sums.seen[1].y);
}

double JointSquares::log_prior(double mean, double log_variance) const {
  return law_->log_prior(prior_, {mean, std::exp(log_variance)}) + log_variance;
}

void JointSquares::draw_theta_alone(State& state, Rng& rng) const {
  const auto log_density = [&](double mean, double log_variance) {
    double out = log_prior(mean, log_variance);
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      const Sums& sums = state.sets[set];
      out += log_likelihood(sums.n, state.tables[sets_[set].table].glance(mean, log_variance), sums);
    }
    return out;
  };
  const auto of_mean = [&](double mean) { return log_density(mean, state.log_variance); };
  const SliceRange means{-1e300, 1e300, state.width[0]};
  state.mean = draw_slice(state.mean, of_mean(state.mean), means, of_mean, rng);
  const auto of_variance = [&](double log_variance) { return log_density(state.mean, log_variance); };
  const SliceRange variances{-kMostLogVariance, kMostLogVariance, state.width[1]};
  state.log_variance =
      draw_slice(state.log_variance, of_variance(state.log_variance), variances, of_variance, rng);
}

void JointSquares::draw_n(State& state, std::size_t set, Rng& rng) const {
  const Set& here = sets_[set];
  Sums& sums = state.sets[set];
  const SquareMoments record = state.tables[here.table].glance(state.mean, state.log_variance);
  const auto log_density = [&](double place) {
    const double n = here.n.at(place);
    return here.n.log_slope * n + here.count.log_density(n) + log_likelihood(n, record, sums);
  };
  const double guess = std::min(2 * std::sqrt(here.count.noise_variance()), 0.1 * here.n.most);
  const SliceRange range{-0.5, here.n.most + 0.5, std::clamp(guess, 1.0, here.n.most + 1)};
  set_place(state, set, draw_slice(sums.place, log_density(sums.place), range, log_density, rng));
}

/// Redrawn until n records could have added up to it. False if they never did: then it is the last draw.
bool JointSquares::draw_seen(const Sums& sums, const Set& set, const SquareMoments& record,
                             std::array<double, 2>& seen, Rng& rng) const {
  const double n = sums.n;
  const SquareBlocks blocks(n, record, sums.seen[0].precision, sums.seen[1].precision);
  for (int attempt = 0; attempt < kSeenRedraws; ++attempt) {
    seen = blocks.draw(sums.seen[0].y, sums.seen[1].y, rng);
    if (n == 0) return true;
    const double average = record.mean + seen[0] / n;
    const bool in_range = average >= set.lowest - kSlack && average <= set.highest + kSlack;
    if (in_range && n * (record.variance + kSlack) + seen[1] >= seen[0] * (seen[0] / n)) return true;
  }
  return false;
}

void JointSquares::draw_noise(Sums& sums, const Set& set, const SquareMoments& record,
                              const std::array<double, 2>& seen, Rng& rng) {
  const double first = sums.n * record.mean + seen[0];
  const double square =
      sums.n * (record.variance + record.mean * record.mean) + 2 * record.mean * seen[0] + seen[1];
  const double values[] = {first, square};
  sums.released = {first, square};
  for (std::size_t j = 0; j < 2; ++j) {
    auto latent = sums.noise[j].begin();
    for (const NoisyValue& noisy_value : set.noisy_values[j]) {
      if (const double rate = release::shape(noisy_value.law).rate; rate > 0)
        *latent++ = draw_mixture_variance(noisy_value.y - values[j], 1 / rate, rng);
    }
  }
}

OwnMoments JointSquares::own_moments(const State& state, const Set& set) const {
  const double v = std::exp(state.log_variance);
  if (!set.kept.drops()) return {0, v, v, 0, 2 * v * v};
  const auto& law = static_cast<const model::SquaresLaw&>(*law_);
  const NormalSegmentMoments kept =
      law.square_segment({0, v}, {set.kept.from() - state.mean, set.kept.to() - state.mean});
  return {kept.mean, kept.mean_square, kept.variance, kept.covariance, kept.square_variance};
}

/// Leaves the sums of t and of its squares about their mean.
int JointSquares::draw_sums(State& state, std::size_t set, const SquareMoments& record,
                            const std::array<double, 2>& seen, Rng& rng) const {
  Sums& sums = state.sets[set];
  const double n = sums.n;
  if (n == 0) {
    sums.sum = sums.scatter = 0;
    sums.about = {0, 0};
    return 0;
  }
  SumPair about{sums.sum - n * state.mean, 0};
  about.second = sums.scatter + about.first * (about.first / n);
  const int redrawn = draw_given_seen(n, own_moments(state, sets_[set]), record, seen, about, rng);
  sums.about = {about.first, about.second};
  sums.sum = n * state.mean + about.first;
  sums.scatter = std::max(about.second - about.first * (about.first / n), 0.0);
  return redrawn;
}

int JointSquares::draw_set(State& state, std::size_t set, Rng& rng) const {
  const Set& here = sets_[set];
  Sums& sums = state.sets[set];
  const SquareMoments record = state.tables[here.table].at(state.mean, state.log_variance);
  const double place = sums.place;
  std::array<double, 2> seen{};
  if (here.n.latent) draw_n(state, set, rng);
  if (!draw_seen(sums, here, record, seen, rng) && here.n.latent) {
    set_place(state, set, place);  // as many records cannot have added up to what was seen: n stays
    draw_seen(sums, here, record, seen, rng);
  }
  draw_noise(sums, here, record, seen, rng);
  weigh(sums, here);
  return draw_sums(state, set, record, seen, rng);
}

/// About the old mean, where the squares keep their digits.
void JointSquares::draw_theta(State& state, Rng& rng) const {
  model::Sums all;
  for (const Sums& sums : state.sets) {
    all.n += sums.n;
    all.t += sums.about[0];
    all.squares += sums.about[1];
  }
  model::Hyper after = prior_;
  after[0] -= state.mean;
  after = law_->update(after, all);
  model::Theta theta{0, 0};
  if (drops_) {
    after[0] += state.mean;
    theta = {state.mean, std::exp(state.log_variance)};
    std::vector<KeptRecords> records;
    for (std::size_t set = 0; set < sets_.size(); ++set)
      records.push_back({&sets_[set].kept, state.sets[set].n});
    step_kept_theta(*law_, 2, after, records, theta, rng);
    state.mean = theta[0];
  } else {
    theta = law_->draw_theta(after, rng);
    state.mean += theta[0];
  }
  state.log_variance = std::clamp(std::log(theta[1]), -kMostLogVariance, kMostLogVariance);
}

void JointSquares::set_place(State& state, std::size_t set, double place) const {
  Sums& sums = state.sets[set];
  const double before = sums.n;
  sums.place = place;
  sums.n = sets_[set].n.at(place);
  if (sums.n == before) return;
  // Sums that so many records can have, should they be wanted as a start.
  sums.sum = before > 0 ? sums.sum * (sums.n / before) : sums.n * state.mean;
  sums.scatter = before > 0 ? sums.scatter * (sums.n / before) : sums.n * std::exp(state.log_variance);
}

JointSquares::Info JointSquares::step(State& state, Rng& rng) const {
  if (state.collapsed) draw_theta_alone(state, rng);
  Info info;
  for (std::size_t set = 0; set < sets_.size(); ++set) info.redrawn += draw_set(state, set, rng);
  draw_theta(state, rng);
  return info;
}

std::size_t JointSquares::quantities() const {
  return 2 + static_cast<std::size_t>(
                 std::count_if(sets_.begin(), sets_.end(), [](const Set& set) { return set.n.latent; }));
}

void JointSquares::latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
  auto at = out.begin();
  for (const Sums& sums : state.sets) {
    for (const double value : {sums.n, sums.released[0], sums.released[1], 0.0}) *at++ = value;
  }
}

void JointSquares::read(const State& state, std::span<double> out) const {
  out[0] = values_.zero + values_.unit * state.mean;
  out[1] = std::exp(state.log_variance) * values_.unit * values_.unit;
  std::size_t at = 2;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (sets_[set].n.latent) out[at++] = state.sets[set].n;
  }
}

ChainRun draw_joint_squares(const std::vector<NumberProblem>& problems, const DriverOptions& options,
                            const Conversation& conversation) {
  return run_chains(JointSquares(problems), options, conversation);
}

}  // namespace postern::infer
