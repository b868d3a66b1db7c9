#include "postern/infer/gibbs/joint_squares.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/driver.hpp"
#include "postern/infer/gibbs/scale_mixture.hpp"
#include "postern/infer/gibbs/slice.hpp"

#include "gibbs/square_blocks.hpp"

namespace postern::infer {
namespace {

/// How much wider than the sums' own spread noise may be before theta is drawn with the sums integrated out.
constexpr double kWideNoise = 2;
constexpr int kCandidates = 24;
constexpr int kSeenRedraws = 20;
constexpr double kSlack = 1e-9;  ///< for rounding, in k
constexpr double kMostLogVariance = 600;

}  // namespace

static_assert(Kernel<JointSquares>);

JointSquares::JointSquares(const NumberProblem& problem)
    : law_(problem.law),
      number_(std::make_shared<const model::EncodedNumber>(problem.number)),
      sights_{problem.sums, problem.square_sums},
      count_(problem.counts),
      n_(problem.total),
      lowest_(static_cast<double>(problem.number.values.adds.front())),
      highest_(static_cast<double>(problem.number.values.adds.back())) {
  if (!problem.squares || problem.parameters != 2 || !problem.mirrored_sums.empty())
    throw Error(ErrorCode::engine_unsuitable,
                {"the joint gibbs engine of two sums needs squares and no mirror"});
  if (number_->below < 0 || number_->above < 0)
    throw Error(ErrorCode::engine_unsuitable,
                {"the gibbs engine cannot tell how many records were dropped for lying outside the column"});
  const auto [mean, weight, shape, scale] = problem.prior;
  const model::LevelValues& values = number_->values;
  prior_ = {(mean - values.zero) / values.unit, weight, shape, scale / values.unit / values.unit};
  table_ = NormalTable(law_, number_);
}

void JointSquares::weigh(State& state) const {
  for (std::size_t j = 0; j < 2; ++j) {
    Seen& out = state.seen[j];
    out = {};
    auto latent = state.noise[j].begin();
    double weighted = 0;
    for (const Sight& sight : sights_[j]) {
      const auto* normal = std::get_if<release::DiscreteGaussian>(&sight.law);
      const double precision = 1 / (normal != nullptr ? normal->sigma2() : *latent++);
      out.precision += precision;
      weighted += precision * sight.y;
    }
    if (out.precision > 0) out.y = weighted / out.precision;
  }
}

double JointSquares::log_likelihood(double n, const SquareMoments& record, const State& state) const {
  return SquareBlocks(n, record, state.seen[0].precision, state.seen[1].precision)
      .log_likelihood(state.seen[0].y, state.seen[1].y);
}

double JointSquares::log_prior(double mean, double log_variance) const {
  return law_->log_prior(prior_, {mean, std::exp(log_variance)}) + log_variance;
}

void JointSquares::draw_theta_alone(State& state, Rng& rng) const {
  const auto log_density = [&](double mean, double log_variance) {
    return log_prior(mean, log_variance) +
           log_likelihood(state.n, state.table.glance(mean, log_variance), state);
  };
  const auto of_mean = [&](double mean) { return log_density(mean, state.log_variance); };
  const SliceRange means{-1e300, 1e300, state.width[0]};
  state.mean = draw_slice(state.mean, of_mean(state.mean), means, of_mean, rng);
  const auto of_variance = [&](double log_variance) { return log_density(state.mean, log_variance); };
  const SliceRange variances{-kMostLogVariance, kMostLogVariance, state.width[1]};
  state.log_variance =
      draw_slice(state.log_variance, of_variance(state.log_variance), variances, of_variance, rng);
}

void JointSquares::draw_n(State& state, Rng& rng) const {
  const SquareMoments record = state.table.glance(state.mean, state.log_variance);
  const auto log_density = [&](double place) {
    const double n = n_.at(place);
    return n_.log_slope * n + count_.log_density(n) + log_likelihood(n, record, state);
  };
  const double guess = std::min(2 * std::sqrt(count_.noise_variance()), 0.1 * n_.most);
  const SliceRange range{-0.5, n_.most + 0.5, std::clamp(guess, 1.0, n_.most + 1)};
  set_place(state, draw_slice(state.place, log_density(state.place), range, log_density, rng));
}

/// Redrawn until n records could have added up to it. False if they never did: then it is the last draw.
bool JointSquares::draw_seen(const State& state, const SquareMoments& record, std::array<double, 2>& seen,
                             Rng& rng) const {
  const double n = state.n;
  const SquareBlocks blocks(n, record, state.seen[0].precision, state.seen[1].precision);
  for (int attempt = 0; attempt < kSeenRedraws; ++attempt) {
    seen = blocks.draw(state.seen[0].y, state.seen[1].y, rng);
    if (n == 0) return true;
    const double average = record.mean + seen[0] / n;
    const bool in_range = average >= lowest_ - kSlack && average <= highest_ + kSlack;
    if (in_range && n * (record.variance + kSlack) + seen[1] >= seen[0] * (seen[0] / n)) return true;
  }
  return false;
}

int JointSquares::draw_sums(State& state, const SquareMoments& record, const std::array<double, 2>& seen,
                            Rng& rng) const {
  const double v = std::exp(state.log_variance);
  const double n = state.n;
  SumPair sums{state.sum - n * state.mean, 0};
  if (n > 0) sums.second = state.scatter + sums.first * (sums.first / n) - n * v;
  const int redrawn = n > 0 ? draw_given_seen(n, v, record, seen, sums, rng) : 0;
  if (n == 0) sums = {0, 0};
  model::Hyper prior = prior_;
  prior[0] -= state.mean;  // about the old mean, where the squares keep their digits
  const model::Theta drawn = law_->draw_theta(law_->update(prior, {n, sums.first, n * v + sums.second}), rng);
  state.sum = n * state.mean + sums.first;
  state.scatter = n > 0 ? std::max(n * v + sums.second - sums.first * (sums.first / n), 0.0) : 0;
  state.mean += drawn[0];
  state.log_variance = std::clamp(std::log(drawn[1]), -kMostLogVariance, kMostLogVariance);
  return redrawn;
}

void JointSquares::draw_noise(State& state, const SquareMoments& record, const std::array<double, 2>& seen,
                              Rng& rng) const {
  const double first = state.n * record.mean + seen[0];
  const double square =
      state.n * (record.variance + record.mean * record.mean) + 2 * record.mean * seen[0] + seen[1];
  const double sums[] = {first, square};
  for (std::size_t j = 0; j < 2; ++j) {
    auto latent = state.noise[j].begin();
    for (const Sight& sight : sights_[j]) {
      if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&sight.law))
        *latent++ = draw_mixture_variance(sight.y - sums[j], 1 / laplace->lambda(), rng);
    }
  }
}

/// theta in proportion to its likelihood, among draws from the prior and from what the sums would say without
/// noise.
void JointSquares::start(State& state, Rng& rng) const {
  model::Hyper naive = prior_;
  if (state.n > 0) {
    const double sum = std::clamp(state.seen[0].y, state.n * lowest_, state.n * highest_);
    const double least = sum * (sum / state.n) * (1 + 1e-9);
    const double most = state.n * std::max(lowest_ * lowest_, highest_ * highest_);
    const model::Sums sums{state.n, sum, std::clamp(state.seen[1].y, least, std::max(least, most))};
    if (law_->possible(sums)) naive = law_->update(prior_, sums);
  }
  double total = kMinusInfinity;
  for (int i = 0; i < kCandidates; ++i) {
    const model::Theta drawn = law_->draw_theta(i % 2 == 0 ? prior_ : naive, rng);
    const double log_variance = std::clamp(std::log(drawn[1]), -kMostLogVariance, kMostLogVariance);
    const LevelMoments k = state.table.directly(drawn[0], log_variance);
    const SquareMoments record{k.mean, k.variance, k.third, k.fourth - k.variance * k.variance, {}};
    const double weight = log_likelihood(state.n, record, state);
    total = log_add_exp(total, weight);
    if (i > 0 && std::log(rng.uniform()) >= weight - total) continue;
    state.mean = drawn[0];
    state.log_variance = log_variance;
  }
}

JointSquares::State JointSquares::init(Rng& rng) const {
  State state;
  state.table = table_;
  state.place = n_.guess(count_.seen() ? count_.centre() : 0.5 * n_.most);
  state.n = n_.at(state.place);
  for (std::size_t j = 0; j < 2; ++j) {
    for (const Sight& sight : sights_[j]) {
      if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&sight.law))
        state.noise[j].push_back(2 / (laplace->lambda() * laplace->lambda()));
    }
  }
  weigh(state);
  start(state, rng);
  const double n = std::max(state.n, 1.0);
  const double v = std::exp(state.log_variance);
  const double noise = 1 / std::max(state.seen[0].precision, 1e-300);
  const double square_noise = 1 / std::max(state.seen[1].precision, 1e-300);
  state.width = {2 * std::min(std::sqrt(v / n + noise / (n * n)), std::sqrt(v)),
                 std::clamp(2 * std::sqrt(2 / n + square_noise / (n * n * v * v)), 1e-6, 1.0)};
  state.collapsed = true;
  for (int i = 0; i < 4; ++i) draw_theta_alone(state, rng);
  const SquareMoments record = state.table.at(state.mean, state.log_variance);
  state.collapsed = n_.latent || noise > kWideNoise * n * record.variance ||
                    square_noise > kWideNoise * n * record.square_variance;
  state.sum = state.n * state.mean;
  state.scatter = state.n * std::exp(state.log_variance);
  return state;
}

void JointSquares::set_place(State& state, double place) const {
  const double before = state.n;
  state.place = place;
  state.n = n_.at(place);
  if (state.n == before) return;
  // Sums that so many records can have, should they be wanted as a start.
  state.sum = before > 0 ? state.sum * (state.n / before) : state.n * state.mean;
  state.scatter = before > 0 ? state.scatter * (state.n / before) : state.n * std::exp(state.log_variance);
}

JointSquares::Info JointSquares::step(State& state, Rng& rng) const {
  if (state.collapsed) draw_theta_alone(state, rng);
  const SquareMoments record = state.table.at(state.mean, state.log_variance);
  const double place = state.place;
  std::array<double, 2> seen{};
  if (n_.latent) draw_n(state, rng);
  if (!draw_seen(state, record, seen, rng) && n_.latent) {
    set_place(state, place);  // as many records cannot have added up to what was seen: n stays
    draw_seen(state, record, seen, rng);
  }
  draw_noise(state, record, seen, rng);
  weigh(state);
  Info info;
  info.redrawn = draw_sums(state, record, seen, rng);
  return info;
}

void JointSquares::read(const State& state, std::span<double> out) const {
  const model::LevelValues& values = number_->values;
  out[0] = values.zero + values.unit * state.mean;
  out[1] = std::exp(state.log_variance) * values.unit * values.unit;
  if (n_.latent) out[2] = state.n;
}

}  // namespace postern::infer
