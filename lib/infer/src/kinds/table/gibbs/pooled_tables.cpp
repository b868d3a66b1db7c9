#include "pooled_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "kinds/table/exact/count_plan.hpp"

namespace postern::infer {

PooledTables::PooledTables(std::vector<double> alpha, std::vector<std::size_t> reported,
                           std::span<const CountProblem> datasets)
    : alpha_(std::move(alpha)), reported_(std::move(reported)) {
  const std::size_t cells = alpha_.size();
  // As sums from both ends, not as differences: what is left may be tiny beside the cell's own.
  alpha_others_.assign(cells, 0.0);
  double below = 0;
  double above = 0;
  for (std::size_t k = 0; k < cells; ++k) {
    alpha_others_[k] += below;
    below += alpha_[k];
    alpha_others_[cells - 1 - k] += above;
    above += alpha_[cells - 1 - k];
  }
  latent_ = !datasets.empty() && std::holds_alternative<LatentTotal>(datasets.front().total);
  for (std::size_t d = 0; d < datasets.size(); ++d) {
    CountProblem problem = datasets[d];
    problem.alpha = alpha_;
    check_problem(problem);
    const auto* latent = std::get_if<LatentTotal>(&problem.total);
    if ((latent != nullptr) != latent_)
      throw Error(ErrorCode::bad_value, {"pooled tables need all totals known, or all latent"});
    most_.push_back(latent_ ? latent->at_most : std::get<KnownTotal>(problem.total).n);
    log_slope_.push_back(latent_ ? latent->log_slope : 0);
    guess_counts(problem, d);
  }
  std::vector<double> sum(cells, 0.0);
  for (std::size_t i = 0; i < guess_.size(); ++i) sum[i % cells] += guess_[i];
  pivot_ = static_cast<std::size_t>(std::max_element(sum.begin(), sum.end()) - sum.begin());
}

/// The precision-weighted mean of the noisy values, as far as it can be a count and no nearer to 0 than the
/// noise can tell; an unseen cell has what is left.
void PooledTables::guess_counts(const CountProblem& problem, std::size_t d) {
  const auto most = static_cast<double>(most_[d]);
  double seen = 0;
  for (const std::vector<NoisyValue>& noisy_values : problem.noisy_values) {
    noise_.emplace_back(noisy_values, most_[d]);
    double precision = 0;
    double weighted = 0;
    for (const NoisyValue& noisy_value : noisy_values) {
      const double p =
          1 / std::max(release::variance(noisy_value.law), std::numeric_limits<double>::epsilon());
      precision += p;
      weighted += p * noisy_value.y;
    }
    precision_.push_back(precision);
    value_.push_back(precision > 0 ? std::clamp(weighted / precision, 0.0, most) : 0);
    const double low = precision > 0 ? std::min(0.5 / std::sqrt(precision), most) : 0;
    guess_.push_back(precision > 0 ? std::max(value_.back(), low) : -1);
    seen += std::max(guess_.back(), 0.0);
  }
  const double scale = !latent_ && seen > most ? most / seen : 1;
  for (std::size_t k = 0; k < cells(); ++k) {
    double& guess = guess_[at(d, k)];
    guess = guess < 0 ? std::max(most - seen, 0.0) : guess * scale;
    guess = std::max(guess, 0.5);
  }
}

/// Scattered starts: theta between its prior and what the releases say, counts of any total near the guess.
PooledTables::State PooledTables::init(Rng& rng) const {
  State state;
  state.log_theta.resize(cells());
  state.count.resize(datasets() * cells());
  state.proposal.resize(std::max(datasets(), cells()));
  state.moved.resize(datasets());
  const double trust = rng.uniform();
  for (std::size_t k = 0; k < cells(); ++k) {
    double shape = alpha_[k];
    for (std::size_t d = 0; d < datasets(); ++d) shape += trust * guess_[at(d, k)];
    state.log_theta[k] = draw_log_gamma(shape, rng);
  }
  std::vector<double> theta(cells());
  const double norm = log_sum_exp(state.log_theta);
  for (std::size_t k = 0; k < cells(); ++k) theta[k] = std::exp(state.log_theta[k] - norm);
  for (std::size_t d = 0; d < datasets(); ++d) {
    std::int64_t n = most_[d];
    if (latent_) {
      double sum = 0;
      for (std::size_t k = 0; k < cells(); ++k) sum += guess_[at(d, k)];
      n = static_cast<std::int64_t>(std::min(static_cast<double>(n), sum * std::exp(draw_normal(rng))));
    }
    state.total.push_back(n);
    draw_multinomial(n, theta, std::span(state.count).subspan(d * cells(), cells()), rng);
  }
  return state;
}

PooledTables::Info PooledTables::step(State& state, Rng& rng) const {
  Info info;
  if (latent_) sweep_cells(state, rng, info);
  sweep_pairs(state, rng, info);
  draw_theta(state, rng);
  return info;
}

void PooledTables::draw_theta(State& state, Rng& rng) const {
  for (std::size_t k = 0; k < cells(); ++k) {
    double shape = alpha_[k];
    for (std::size_t d = 0; d < datasets(); ++d) shape += static_cast<double>(state.count[at(d, k)]);
    state.log_theta[k] = draw_log_gamma(shape, rng);
  }
}

void PooledTables::read(const State& state, std::span<double> out) const {
  const double norm = log_sum_exp(state.log_theta);
  for (std::size_t i = 0; i < reported_.size(); ++i) out[i] = std::exp(state.log_theta[reported_[i]] - norm);
  if (!latent_) return;
  for (std::size_t d = 0; d < datasets(); ++d)
    out[reported_.size() + d] = static_cast<double>(state.total[d]);
}

}  // namespace postern::infer
