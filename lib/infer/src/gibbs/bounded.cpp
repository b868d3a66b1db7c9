#include "postern/infer/gibbs/bounded.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/gibbs/slice.hpp"

namespace postern::infer {
namespace {

/// How much wider than the sum's own spread noise may be before theta is drawn with the sum integrated out.
constexpr double kWideNoise = 4;
constexpr double kMostLogOdds = 690;

double odds_to_probability(double log_odds) {
  return log_odds < 0 ? std::exp(log_odds) / (1 + std::exp(log_odds)) : 1 / (1 + std::exp(-log_odds));
}

}  // namespace

static_assert(Kernel<BoundedNumber>);

BoundedNumber::BoundedNumber(const NumberProblem& problem)
    : a_(problem.prior[0]),
      b_(problem.prior[1]),
      sum_(problem.sums, problem.mirrored_sums),
      count_(problem.counts),
      n_(problem.total) {
  const auto& levels = problem.number.values;
  if (problem.parameters != 1 || problem.squares || !problem.whole ||
      problem.law->space(0) != model::ParameterSpace::unit)
    throw Error(ErrorCode::engine_unsuitable, {"the bounded gibbs engine is for a probability"});
  trials_ = static_cast<double>(levels.adds.size()) - 1;
  for (std::size_t l = 0; l < levels.adds.size(); ++l) {
    if (levels.adds[l] != static_cast<std::int64_t>(l) || levels.unit != 1 || levels.zero != 0)
      throw Error(ErrorCode::engine_unsuitable,
                  {"the bounded gibbs engine needs a level for every number of successes"});
  }
  if (!problem.law->possible({1, trials_, 0}) || problem.law->possible({1, trials_ + 1, 0}))
    throw Error(ErrorCode::engine_unsuitable,
                {"the bounded gibbs engine needs a column that holds 0 to all successes"});
  if (count_.seen()) {
    guess_ = n_.guess(count_.centre());
  } else if (sum_.mirrors() && !problem.sums.empty()) {
    guess_ = n_.guess((NoisySum(problem.sums).centre() + NoisySum(problem.mirrored_sums).centre()) / trials_);
  } else {
    guess_ = n_.guess(0.5 * n_.most);
  }
}

double BoundedNumber::log_likelihood(double theta, double n, NoisySum& sum) const {
  if (sum.mirrors()) sum.mirror_about(n * trials_);
  const double mean = n * trials_ * theta;
  return sum.log_likelihood(mean, mean * (1 - theta));
}

double BoundedNumber::log_odds_density(double log_odds, State& state) const {
  const double theta = odds_to_probability(log_odds);
  const double prior = log_odds < 0 ? a_ * log_odds - (a_ + b_) * std::log1p(std::exp(log_odds))
                                    : -b_ * log_odds - (a_ + b_) * std::log1p(std::exp(-log_odds));
  const double mean = state.n * trials_ * theta;
  return prior + state.sum.log_likelihood(mean, mean / (1 + std::exp(log_odds)));
}

void BoundedNumber::set_n(State& state, double place) const {
  state.place = place;
  state.n = n_.at(place);
  if (state.sum.mirrors()) state.sum.mirror_about(state.n * trials_);
}

void BoundedNumber::draw_n(State& state, Rng& rng) const {
  const auto log_density = [&](double place) {
    const double n = n_.at(place);
    return n_.log_slope * n + count_.log_density(n) + log_likelihood(state.theta, n, state.sum);
  };
  const double spread = std::sqrt(state.n * state.theta * (1 - state.theta) / trials_);
  const double noise = std::min(std::sqrt(state.sum.noise_variance()), 1e300) / trials_;
  const double width = std::clamp(4 * (spread + noise), 1.0, n_.most + 1);
  const SliceRange range{-0.5, n_.most + 0.5, width};
  set_n(state, draw_slice(state.place, log_density(state.place), range, log_density, rng));
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
  state.sum = sum_;
  set_n(state, guess_);
  const double records = state.n * trials_;
  const double seen = sum_.seen() ? std::clamp(state.sum.centre(), 0.0, records) : records * a_ / (a_ + b_);
  state.s = seen;
  state.theta = std::clamp(draw_beta(a_ + seen, b_ + records - seen, rng), 1e-300, 1 - 0x1p-53);
  const double share = (a_ + seen) / (a_ + b_ + records);
  const double own = records * share * (1 - share);
  const double noise = state.sum.noise_variance();
  state.collapsed = noise > kWideNoise * own;
  state.width = std::clamp(std::sqrt(noise) / std::max(own, 1e-3), 0.1, 4.0);
  return state;
}

BoundedNumber::Info BoundedNumber::step(State& state, Rng& rng) const {
  if (state.collapsed) draw_theta_alone(state, rng);
  if (n_.latent) draw_n(state, rng);
  const double records = state.n * trials_;
  const double mean = records * state.theta;
  state.s = state.sum.draw(mean, mean * (1 - state.theta), 0, records, rng);
  state.theta = std::clamp(draw_beta(a_ + state.s, b_ + (records - state.s), rng), 1e-300, 1 - 0x1p-53);
  return {};
}

void BoundedNumber::read(const State& state, std::span<double> out) const {
  out[0] = state.theta;
  if (n_.latent) out[1] = state.n;
}

ChainRun draw_bounded_number(const NumberProblem& problem, const DriverOptions& options,
                             const Conversation& conversation) {
  return run_chains(BoundedNumber(problem), options, conversation);
}

}  // namespace postern::infer
