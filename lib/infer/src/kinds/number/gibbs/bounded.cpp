#include "postern/infer/kinds/number/gibbs/bounded.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/chains/slice.hpp"

namespace postern::infer {
namespace {

/// How much wider than the sum's own spread noise may be before theta is drawn with the sum integrated out.
constexpr double kWideNoise = 4;
constexpr double kMostLogOdds = 690;

double odds_to_probability(double log_odds) {
  return log_odds < 0 ? std::exp(log_odds) / (1 + std::exp(log_odds)) : 1 / (1 + std::exp(-log_odds));
}

/// The trials of a record. Throws engine_unsuitable unless the problem is that of a binomial probability.
double trials_of(const NumberProblem& problem) {
  const auto& levels = problem.number.values;
  if (problem.parameters != 1 || problem.squares || !problem.whole ||
      problem.law->space(0) != model::ParameterSpace::unit)
    throw Error(ErrorCode::engine_unsuitable, {"the bounded gibbs engine is for a probability"});
  for (std::size_t l = 0; l < levels.adds.size(); ++l) {
    if (levels.adds[l] != static_cast<std::int64_t>(l) || levels.unit != 1 || levels.zero != 0)
      throw Error(ErrorCode::engine_unsuitable,
                  {"the bounded gibbs engine needs a level for every number of successes"});
  }
  const double trials = static_cast<double>(levels.adds.size()) - 1;
  if (!problem.law->possible({1, trials, 0}) || problem.law->possible({1, trials + 1, 0}))
    throw Error(ErrorCode::engine_unsuitable,
                {"the bounded gibbs engine needs a column that holds 0 to all successes"});
  return trials;
}

}  // namespace

static_assert(Kernel<BoundedNumber>);

BoundedNumber::Set::Set(const NumberProblem& problem, double trials)
    : sum(problem.sums, problem.mirrored_sums), count(problem.counts), n(problem.total) {
  if (count.seen()) {
    guess = n.guess(count.centre());
  } else if (sum.mirrors() && !problem.sums.empty()) {
    guess = n.guess((NoisySum(problem.sums).centre() + NoisySum(problem.mirrored_sums).centre()) / trials);
  } else {
    guess = n.guess(0.5 * n.most);
  }
}

BoundedNumber::BoundedNumber(const std::vector<NumberProblem>& problems)
    : a_(problems.front().prior[0]), b_(problems.front().prior[1]), trials_(trials_of(problems.front())) {
  for (const NumberProblem& problem : problems) {
    if (trials_of(problem) != trials_)
      throw Error(ErrorCode::engine_unsuitable, {"the bounded gibbs engine needs sets of equal trials"});
    sets_.emplace_back(problem, trials_);
  }
}

double BoundedNumber::log_likelihood(double theta, double n, NoisySum& sum) const {
  if (sum.mirrors()) sum.mirror_about(n * trials_);
  const double mean = n * trials_ * theta;
  return sum.log_likelihood(mean, mean * (1 - theta));
}

double BoundedNumber::log_odds_density(double log_odds, State& state) const {
  const double theta = odds_to_probability(log_odds);
  double out = log_odds < 0 ? a_ * log_odds - (a_ + b_) * std::log1p(std::exp(log_odds))
                            : -b_ * log_odds - (a_ + b_) * std::log1p(std::exp(-log_odds));
  for (const Sums& sums : state.sets) {
    const double mean = sums.n * trials_ * theta;
    out += sums.sum.log_likelihood(mean, mean / (1 + std::exp(log_odds)));
  }
  return out;
}

void BoundedNumber::set_n(Sums& sums, const Set& set, double place) const {
  sums.place = place;
  sums.n = set.n.at(place);
  if (sums.sum.mirrors()) sums.sum.mirror_about(sums.n * trials_);
}

void BoundedNumber::draw_n(State& state, std::size_t set, Rng& rng) const {
  const Set& here = sets_[set];
  Sums& sums = state.sets[set];
  const auto log_density = [&](double place) {
    const double n = here.n.at(place);
    return here.n.log_slope * n + here.count.log_density(n) + log_likelihood(state.theta, n, sums.sum);
  };
  const double spread = std::sqrt(sums.n * state.theta * (1 - state.theta) / trials_);
  const double noise = std::min(std::sqrt(sums.sum.noise_variance()), 1e300) / trials_;
  const double width = std::clamp(4 * (spread + noise), 1.0, here.n.most + 1);
  const SliceRange range{-0.5, here.n.most + 0.5, width};
  set_n(sums, here, draw_slice(sums.place, log_density(sums.place), range, log_density, rng));
}

void BoundedNumber::draw_theta_alone(State& state, Rng& rng) const {
  const auto log_density = [&](double x) { return log_odds_density(x, state); };
  const double x = std::clamp(std::log(state.theta) - std::log1p(-state.theta), -kMostLogOdds, kMostLogOdds);
  const SliceRange range{-kMostLogOdds, kMostLogOdds, state.width};
  const double drawn = draw_slice(x, log_density(x), range, log_density, rng);
  state.theta = std::clamp(odds_to_probability(drawn), 1e-300, 1 - 0x1p-53);
}

BoundedNumber::State BoundedNumber::init(Rng& rng) const {
  State state;
  double all = 0;
  double successes = 0;
  for (const Set& set : sets_) {
    Sums& sums = state.sets.emplace_back();
    sums.sum = set.sum;
    set_n(sums, set, set.guess);
    const double records = sums.n * trials_;
    sums.s = set.sum.seen() ? std::clamp(sums.sum.centre(), 0.0, records) : records * a_ / (a_ + b_);
    all += records;
    successes += sums.s;
  }
  state.theta = std::clamp(draw_beta(a_ + successes, b_ + all - successes, rng), 1e-300, 1 - 0x1p-53);
  const double share = (a_ + successes) / (a_ + b_ + all);
  double precision = 0;  // of the log odds, what each set says
  for (const Sums& sums : state.sets) {
    const double own = sums.n * trials_ * share * (1 - share);
    const double noise = sums.sum.noise_variance();
    state.collapsed = state.collapsed || noise > kWideNoise * own;
    const double ratio = std::max(own, 1e-3) / std::max(std::sqrt(noise), 1e-300);
    precision += ratio * ratio;
  }
  state.width = std::clamp(1 / std::sqrt(std::max(precision, 1e-300)), 0.1, 4.0);
  return state;
}

BoundedNumber::Info BoundedNumber::step(State& state, Rng& rng) const {
  if (state.collapsed) draw_theta_alone(state, rng);
  double all = 0;
  double successes = 0;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    Sums& sums = state.sets[set];
    if (sets_[set].n.latent) draw_n(state, set, rng);
    const double records = sums.n * trials_;
    const double mean = records * state.theta;
    sums.s = sums.sum.draw(mean, mean * (1 - state.theta), 0, records, rng);
    all += records;
    successes += sums.s;
  }
  state.theta = std::clamp(draw_beta(a_ + successes, b_ + (all - successes), rng), 1e-300, 1 - 0x1p-53);
  return {};
}

std::size_t BoundedNumber::quantities() const {
  return 1 + static_cast<std::size_t>(
                 std::count_if(sets_.begin(), sets_.end(), [](const Set& set) { return set.n.latent; }));
}

void BoundedNumber::read(const State& state, std::span<double> out) const {
  out[0] = state.theta;
  std::size_t at = 1;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (sets_[set].n.latent) out[at++] = state.sets[set].n;
  }
}

ChainRun draw_bounded_number(const std::vector<NumberProblem>& problems, const DriverOptions& options,
                             const Conversation& conversation) {
  return run_chains(BoundedNumber(problems), options, conversation);
}

}  // namespace postern::infer
