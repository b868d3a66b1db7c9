#include "latent.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {
namespace {

constexpr std::int64_t kOne = std::int64_t{1} << model::kLogisticBits;
constexpr int kLatentMoves = 4;               // of either kind, a step
constexpr std::size_t kLatentSettling = 200;  // steps in which lengths and blocks are found
constexpr double kLatentWanted = 0.25;        // acceptance of moves
constexpr double kWantedBlocks = 0.6;         // of records drawn anew

double log_odds_ratio(double odds, bool y) {
  const double toward = y ? odds : -odds;
  return toward > 0 ? -std::log1p(std::exp(-toward)) : toward - std::log1p(std::exp(toward));
}

std::vector<double> as_doubles(std::span<const std::int64_t> w) {
  std::vector<double> out;
  for (const std::int64_t one : w) out.push_back(static_cast<double>(one) / model::kGradientSteps);
  return out;
}

}  // namespace

LatentRecordsChain::LatentRecordsChain(const LogisticProblem& problem, const model::Study& study)
    : problem_(problem),
      study_(study),
      gradients_(problem),
      information_(record_information(problem.cloud, gradients_.mode(), problem.about(), problem.prior_sd)),
      features_(model::covariate_law(study.model.get<model::LogisticRegression>(), study.schema)),
      entries_(model::gradient_at(study.model.get<model::LogisticRegression>(), {}), study.schema),
      n_(static_cast<std::size_t>(std::get<KnownTotal>(problem.total).n)) {
  for (const NoisyGradient& gradient : problem.gradients) {
    std::vector<std::int64_t>& theta = thetas_.emplace_back();
    for (const double one : gradient.theta)
      theta.push_back(std::llround(std::ldexp(one, static_cast<int>(model::kThetaBits))));
  }
}

LatentRecordsChain::State LatentRecordsChain::init(Rng& rng) const {
  State state;
  state.theta = gradients_.mode();
  state.theta = proposed(state, gradients_.spread(), 1, rng);
  state.w.resize(n_ * problem_.size);
  state.y.resize(n_);
  state.at_gradient.resize(n_ * thetas_.size());
  state.sums.assign(thetas_.size() * problem_.size, 0);
  for (std::size_t i = 0; i < n_; ++i) {
    put(state, i, draw_record(state.theta, rng));
    add_terms(state, i, 1, state.sums);
  }
  state.log_noise = log_noise(state.sums);
  state.inner_length = state.outer_length = 2.4 / std::sqrt(static_cast<double>(problem_.size));
  return state;
}

LatentRecordsChain::Record LatentRecordsChain::draw_record(const std::vector<double>& theta, Rng& rng) const {
  Record out;
  std::vector<std::uint32_t> levels(features_.features() + 1, 0);
  features_.draw(levels, rng);
  out.w.resize(problem_.size);
  entries_.fill(levels, out.w);
  for (const std::vector<std::int64_t>& at : thetas_) {
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < at.size(); ++j) sum += at[j] * out.w[j];
    out.at_gradient.push_back(model::logistic_units(sum));
  }
  out.y = rng.uniform() < logistic(dot(as_doubles(out.w).data(), theta));
  return out;
}

void LatentRecordsChain::put(State& state, std::size_t at, const Record& record) const {
  std::copy(record.w.begin(), record.w.end(),
            state.w.begin() + static_cast<std::ptrdiff_t>(at * problem_.size));
  std::copy(record.at_gradient.begin(), record.at_gradient.end(),
            state.at_gradient.begin() + static_cast<std::ptrdiff_t>(at * thetas_.size()));
  state.y[at] = record.y;
}

/// Terms are rounded toward zero, as GradientSum rounds them.
void LatentRecordsChain::add_terms(const State& state, std::size_t record, int sign,
                                   std::vector<std::int64_t>& sums) const {
  const std::size_t d = problem_.size;
  const std::int64_t* w = state.w.data() + record * d;
  for (std::size_t t = 0; t < thetas_.size(); ++t) {
    const std::int64_t error = (state.y[record] ? kOne : 0) - state.at_gradient[record * thetas_.size() + t];
    for (std::size_t j = 0; j < d; ++j) sums[t * d + j] += sign * (error * w[j] / kOne);
  }
}

double LatentRecordsChain::log_noise(const std::vector<std::int64_t>& sums) const {
  double out = 0;
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const NoisyGradient& gradient = problem_.gradients[at / problem_.size];
    const double noise =
        gradient.z[at % problem_.size] - static_cast<double>(sums[at]) / model::kGradientSteps;
    out -= gradient.scale > 0 ? std::abs(noise) / gradient.scale : noise * noise / (2 * gradient.variance);
  }
  return out;
}

double LatentRecordsChain::odds(const State& state, std::size_t record,
                                const std::vector<double>& theta) const {
  const std::int64_t* w = state.w.data() + record * theta.size();
  double out = 0;
  for (std::size_t j = 0; j < theta.size(); ++j) out += theta[j] * static_cast<double>(w[j]);
  return out / model::kGradientSteps;
}

double LatentRecordsChain::log_labels(const State& state, const std::vector<double>& theta) const {
  double out = gradients_.log_prior(theta);
  for (std::size_t i = 0; i < n_; ++i) out += log_odds_ratio(odds(state, i, theta), state.y[i]);
  return out;
}

std::vector<double> LatentRecordsChain::proposed(const State& state, const Cholesky& precision, double length,
                                                 Rng& rng) const {
  std::vector<double> out(problem_.size);
  for (double& one : out) one = length * draw_normal(rng);
  precision.solve_upper(out);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += state.theta[j];
  return out;
}

bool LatentRecordsChain::redraw(State& state, std::size_t from, std::size_t to, Rng& rng) const {
  State tried;  // the block alone, and all sums
  tried.sums = state.sums;
  tried.w.resize((to - from) * problem_.size);
  tried.y.resize(to - from);
  tried.at_gradient.resize((to - from) * thetas_.size());
  std::vector<Record> fresh;
  for (std::size_t i = from; i < to; ++i) {
    add_terms(state, i, -1, tried.sums);
    fresh.push_back(draw_record(state.theta, rng));
    put(tried, i - from, fresh.back());
    add_terms(tried, i - from, 1, tried.sums);
  }
  const double there = log_noise(tried.sums);
  if (!(-draw_exponential(rng) < there - state.log_noise)) return false;
  for (std::size_t i = from; i < to; ++i) put(state, i, fresh[i - from]);
  state.sums = std::move(tried.sums);
  state.log_noise = there;
  return true;
}

double LatentRecordsChain::redraw_all(State& state, Rng& rng) const {
  const auto block = static_cast<std::size_t>(state.block);
  double accepted = 0;
  double tried = 0;
  for (std::size_t from = 0; from < n_; from += block, ++tried)
    accepted += redraw(state, from, std::min(n_, from + block), rng) ? 1 : 0;
  return tried > 0 ? accepted / tried : kWantedBlocks;
}

double LatentRecordsChain::move_given_labels(State& state, Rng& rng) const {
  double here = log_labels(state, state.theta);
  double accepted = 0;
  for (int move = 0; move < kLatentMoves; ++move) {
    std::vector<double> tried = proposed(state, information_, state.inner_length, rng);
    const double there = log_labels(state, tried);
    if (!(-draw_exponential(rng) < there - here)) continue;
    state.theta = std::move(tried);
    here = there;
    accepted += 1.0 / kLatentMoves;
  }
  return accepted;
}

double LatentRecordsChain::move_with_labels(State& state, Rng& rng) const {
  std::vector<double> held(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    const double p = logistic(odds(state, i, state.theta));
    held[i] = state.y[i] ? p * rng.uniform() : p + (1 - p) * rng.uniform();
  }
  double accepted = 0;
  for (int move = 0; move < kLatentMoves; ++move) {
    std::vector<double> tried = proposed(state, gradients_.spread(), state.outer_length, rng);
    std::vector<std::size_t> flipped;
    for (std::size_t i = 0; i < n_; ++i) {
      if ((held[i] < logistic(odds(state, i, tried))) != state.y[i]) flipped.push_back(i);
    }
    std::vector<std::int64_t> sums = state.sums;
    for (const std::size_t i : flipped) {
      add_terms(state, i, -1, sums);
      state.y[i] = !state.y[i];
      add_terms(state, i, 1, sums);
    }
    const double there = log_noise(sums);
    const double gain =
        gradients_.log_prior(tried) - gradients_.log_prior(state.theta) + there - state.log_noise;
    if (!(-draw_exponential(rng) < gain)) {
      for (const std::size_t i : flipped) state.y[i] = !state.y[i];
      continue;
    }
    state.theta = std::move(tried);
    state.sums = std::move(sums);
    state.log_noise = there;
    accepted += 1.0 / kLatentMoves;
  }
  return accepted;
}

LatentRecordsChain::Info LatentRecordsChain::step(State& state, Rng& rng) const {
  const double blocks = redraw_all(state, rng);
  const double inner = move_given_labels(state, rng);
  const double outer = move_with_labels(state, rng);
  if (state.steps++ < kLatentSettling) {
    constexpr double kSpeed = 0.3;
    state.inner_length *= std::exp((inner - kLatentWanted) * kSpeed);
    state.outer_length *= std::exp((outer - kLatentWanted) * kSpeed);
    const double most = std::max(1.0, static_cast<double>(n_) / 4);
    state.block = std::clamp(state.block * std::exp((blocks - kWantedBlocks) * kSpeed), 1.0, most);
  }
  return {static_cast<int>((inner + outer) * kLatentMoves)};
}

void LatentRecordsChain::latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
  for (std::size_t at = 0; at < state.sums.size(); ++at) out[at] = static_cast<double>(state.sums[at]);
}

void LatentRecordsChain::read(const State& state, std::span<double> out) const {
  const auto& model = study_.model.get<model::LogisticRegression>();
  const std::vector<double> natural = model::natural_coefficients(state.theta, model, study_.schema);
  std::copy(natural.begin(), natural.end(), out.begin());
}

}  // namespace postern::infer
