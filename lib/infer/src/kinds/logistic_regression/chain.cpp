#include "chain.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/infer/noise/scale_mixture.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::infer {
namespace {

constexpr int kMoves = 8;               // of the coefficients, a step
constexpr std::size_t kSettling = 200;  // steps in which the length of proposals is found
constexpr double kWanted = 0.25;        // acceptance

}  // namespace

LogisticChain::LogisticChain(const LogisticProblem& problem, const model::Study& study)
    : problem_(problem),
      study_(study),
      gradients_(problem),
      latent_(std::holds_alternative<LatentTotal>(problem.total)) {
  for (const CollapsedGradients::Block& block : gradients_.blocks())
    sampling_.emplace_back(block.covariance, block.places.size());
  for (const NoisyValue& value : problem.counts)
    n_step_ = std::max(n_step_, std::sqrt(release::variance(value.law)));
}

LogisticChain::State LogisticChain::init(Rng& rng) const {
  State state;
  state.theta = gradients_.mode();
  std::vector<double> move(problem_.size);
  for (double& one : move) one = draw_normal(rng);
  gradients_.spread().solve_upper(move);
  for (std::size_t j = 0; j < move.size(); ++j) state.theta[j] += move[j];
  state.n = std::round(problem_.about());
  for (const NoisyGradient& gradient : problem_.gradients) {
    const double variance = gradient.scale > 0 ? 2 * gradient.scale * gradient.scale : gradient.variance;
    state.variances.insert(state.variances.end(), problem_.size, variance);
  }
  state.length = 2.4 / std::sqrt(static_cast<double>(problem_.size));
  factorise(state);
  gradients_.shift(state.theta, state.shift);
  state.log_density = log_density(state.theta, state.n, state, state.shift);
  return state;
}

void LogisticChain::factorise(State& state) const {
  state.factors.clear();
  state.form = ResidualForm(problem_.size);
  for (const CollapsedGradients::Block& block : gradients_.blocks()) {
    const std::size_t size = block.places.size();
    std::vector<double> matrix = block.covariance;
    for (std::size_t a = 0; a < size; ++a) matrix[a * size + a] += state.variances[block.places[a]];
    state.factors.emplace_back(std::move(matrix), size);
    state.form.add(state.factors.back(), block.places, gradients_.base(), gradients_.slope());
  }
}

double LogisticChain::log_density(std::span<const double> theta, double n, const State& state,
                                  const std::vector<double>& shift) const {
  return gradients_.log_prior(theta) - 0.5 * state.form.at(n, n - problem_.about(), shift);
}

double LogisticChain::residual(const State& state, std::size_t at) const {
  return gradients_.base()[at] + (state.n - problem_.about()) * gradients_.slope()[at] -
         state.n * state.shift[at % problem_.size];
}

/// By conditioning a joint draw.
std::vector<double> LogisticChain::draw_errors(const State& state, std::size_t block, Rng& rng) const {
  const auto& [places, covariance] = gradients_.blocks()[block];
  const std::size_t size = places.size();
  std::vector<double> error(size);
  for (double& one : error) one = draw_normal(rng);
  sampling_[block].multiply(error);
  std::vector<double> weight(size);
  for (std::size_t a = 0; a < size; ++a) {
    const std::size_t at = places[a];
    weight[a] = residual(state, at) - error[a] - std::sqrt(state.variances[at]) * draw_normal(rng);
  }
  state.factors[block].solve_lower(weight);
  state.factors[block].solve_upper(weight);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t k = 0; k < size; ++k) error[a] += covariance[a * size + k] * weight[k];
  }
  return error;
}

/// Sampling errors; then the variances given the noise that is left.
void LogisticChain::draw_variances(State& state, Rng& rng) const {
  if (problem_.gradients.empty() || problem_.gradients.front().scale == 0) return;
  for (std::size_t b = 0; b < sampling_.size(); ++b) {
    const std::vector<double> error = draw_errors(state, b, rng);
    const CollapsedGradients::Block& block = gradients_.blocks()[b];
    for (std::size_t a = 0; a < error.size(); ++a) {
      const std::size_t at = block.places[a];
      state.variances[at] = draw_mixture_variance(residual(state, at) - error[a],
                                                  problem_.gradients[at / problem_.size].scale, rng);
    }
  }
  factorise(state);
  state.log_density = log_density(state.theta, state.n, state, state.shift);
}

bool LogisticChain::move_theta(State& state, Rng& rng) const {
  std::vector<double> tried(problem_.size);
  for (double& one : tried) one = state.length * draw_normal(rng);
  gradients_.spread().solve_upper(tried);
  for (std::size_t j = 0; j < tried.size(); ++j) tried[j] += state.theta[j];
  std::vector<double> shift;
  gradients_.shift(tried, shift);
  const double there = log_density(tried, state.n, state, shift);
  if (!(-draw_exponential(rng) < there - state.log_density)) return false;
  state.theta = std::move(tried);
  state.shift = std::move(shift);
  state.log_density = there;
  return true;
}

void LogisticChain::move_n(State& state, Rng& rng) const {
  const double n = state.n + std::round(n_step_ * 2 * draw_normal(rng));
  if (n < 0 || n > static_cast<double>(std::get<LatentTotal>(problem_.total).at_most)) return;
  const double there = log_density(state.theta, n, state, state.shift);
  const double odds = there - state.log_density + problem_.log_total(n) - problem_.log_total(state.n);
  if (!(-draw_exponential(rng) < odds)) return;
  state.n = n;
  state.log_density = there;
}

LogisticChain::Info LogisticChain::step(State& state, Rng& rng) const {
  Info info;
  draw_variances(state, rng);
  for (int move = 0; move < kMoves; ++move) {
    info.accepted += move_theta(state, rng) ? 1 : 0;
    if (latent_) move_n(state, rng);
  }
  if (state.steps++ < kSettling)
    state.length *= std::exp((static_cast<double>(info.accepted) / kMoves - kWanted) * 0.3);
  return info;
}

void LogisticChain::latents(const State& state, std::span<double> out, Rng& rng) const {
  for (std::size_t b = 0; b < sampling_.size(); ++b) {
    const std::vector<double> error = draw_errors(state, b, rng);
    const std::vector<std::size_t>& places = gradients_.blocks()[b].places;
    for (std::size_t a = 0; a < error.size(); ++a) {
      const std::size_t at = places[a];
      const double noise = residual(state, at) - error[a];
      const double released = problem_.gradients[at / problem_.size].z[at % problem_.size];
      out[at] = (released - noise) * model::kGradientSteps;
    }
  }
  for (double& count : out.subspan(gradients_.coordinates())) count = state.n;
}

void LogisticChain::read(const State& state, std::span<double> out) const {
  const auto& model = study_.model.get<model::LogisticRegression>();
  const std::vector<double> natural = model::natural_coefficients(state.theta, model, study_.schema);
  std::copy(natural.begin(), natural.end(), out.begin());
  if (latent_) out.back() = state.n;
}

}  // namespace postern::infer
