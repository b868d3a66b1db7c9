#include "markov/posterior/moving_tables.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "markov/laplace_normal.hpp"

namespace postern::infer::markov {

MovingTables::MovingTables(const PosteriorSetting& setting, const LatentData& data)
    : setting_(&setting), data_(&data) {
  const std::size_t rank = setting.basis.rank();
  const double n = setting.total;
  double told = 0;  // by a cell, on average
  for (const Measurements::Value& value : setting.data.values) told += 1 / value.variance;
  told /= std::max<double>(1, static_cast<double>(setting.basis.dimension()));
  Matrix precision(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double square = 0;
      for (std::size_t k = 0; k < rank; ++k) square += setting.covariance(i, k) * setting.covariance(j, k);
      precision(i, j) = n * n * told * square + setting.known_total * setting.covariance(i, j);
    }
    precision(i, i) += 1 / setting.prior_variance;
  }
  Matrix factor = factor_of_covariance(precision);
  Matrix inverse(rank);
  invert_factor(factor, rank, inverse);
  whitened_ = LowerMap(std::move(inverse));
  factor_ = LowerMap(std::move(factor));
  graph::LogLinear::Workspace work = setting.data.model->workspace();
  std::vector<double> theta(setting.basis.dimension());
  setting.basis.expand(setting.mode, theta);
  setting.data.model->evaluate(theta, work);
  mode_probabilities_ = data.cliques().probabilities(work.propagation);
  mode_marginals_ = work.marginals;
}

MovingTables::State MovingTables::init() const {
  State state;
  state.chain = HamiltonianState(setting_->basis.rank());
  state.uniforms.resize(data_->cliques().cells());
  state.error.resize(setting_->basis.dimension());
  return state;
}

/// The smooth stand-in at x, and its slope.
double MovingTables::follow(std::span<const double> x, const State& state, double n,
                            graph::LogLinear::Workspace& work, std::vector<double>& theta,
                            std::span<double> slope) const {
  const std::size_t rank = x.size();
  std::vector<double> at(rank);
  whitened_.apply_transposed(x, at);
  for (std::size_t i = 0; i < rank; ++i) at[i] += setting_->mode[i];
  setting_->basis.expand(at, theta);
  setting_->data.model->evaluate(theta, work);
  std::vector<double> slopes(theta.size());
  std::vector<double> moved(theta.size());
  for (const Measurements::Value& value : setting_->data.values) {
    const double r = value.y - n * work.marginals[value.cell] - state.error[value.cell];
    slopes[value.cell] += value.scale > 0
                              ? -laplace_normal(r, value.scale, 0.25 * value.scale * value.scale + 0.25).slope
                              : r / value.variance;
  }
  setting_->data.model->covariance_times(slopes, work, moved);
  std::vector<double> own(rank);
  setting_->basis.reduce(moved, own);
  std::vector<double> margins(rank);
  setting_->basis.reduce(work.marginals, margins);
  for (std::size_t i = 0; i < rank; ++i) {
    own[i] = n * own[i] - at[i] / setting_->prior_variance + setting_->known[i] -
             setting_->known_total * margins[i];
  }
  whitened_.apply(own, slope);
  return 0;
}

/// Of t, with what public records say. @pre `work` is at the law of t
double MovingTables::log_prior(std::span<const double> t, const graph::LogLinear::Workspace& work) const {
  double sum = -setting_->known_total * work.log_partition;
  for (std::size_t i = 0; i < t.size(); ++i)
    sum += t[i] * (setting_->known[i] - 0.5 * t[i] / setting_->prior_variance);
  return sum;
}

double MovingTables::move(std::span<double> t, std::span<std::int64_t> counts, State& state,
                          graph::LogLinear::Workspace& work, std::vector<double>& theta, Rng& rng) const {
  const std::size_t rank = t.size();
  const CliqueCounts& cliques = data_->cliques();
  const std::int64_t records = counts[data_->total()];
  const auto n = static_cast<double>(records);
  cliques.draw_uniforms(counts, cliques.probabilities(work.propagation), state.uniforms, rng);
  state.counts.assign(counts.size(), 0);
  cliques.place(records, mode_probabilities_, state.uniforms, state.counts);
  data_->read(state.counts, state.error);
  for (std::size_t i = 0; i < state.error.size(); ++i) state.error[i] -= n * mode_marginals_[i];

  std::vector<double> own(rank);
  for (std::size_t i = 0; i < rank; ++i) own[i] = t[i] - setting_->mode[i];
  factor_.apply_transposed(own, state.chain.x);
  const auto gradient = [&](std::span<const double> x, std::span<double> slope) {
    return follow(x, state, n, work, theta, slope);
  };
  (void)gradient(state.chain.x, state.chain.slope);  // the law is that of t again
  const double length = state.length * (0.5 + rng.uniform());
  const int steps = std::clamp(static_cast<int>(std::ceil(length / 0.3)), 1, 16);
  const double before = data_->log_noise(counts) + log_prior(t, work) - draw_momentum(state.chain, rng);
  (void)integrate(state.chain, length / steps, steps, gradient);

  // theta and its law are those of the end.
  std::vector<double> at(rank);
  whitened_.apply_transposed(state.chain.proposal, at);
  for (std::size_t i = 0; i < rank; ++i) at[i] += setting_->mode[i];
  cliques.place(records, cliques.probabilities(work.propagation), state.uniforms, state.counts);
  const double log_ratio =
      data_->log_noise(state.counts) + log_prior(at, work) - kinetic_energy(state.chain) - before;
  const double accepted = log_ratio >= 0 ? 1 : std::exp(log_ratio);
  if (rng.uniform() < accepted) {
    std::copy(at.begin(), at.end(), t.begin());
    std::copy(state.counts.begin(), state.counts.end(), counts.begin());
  } else {
    setting_->basis.expand(t, theta);
    setting_->data.model->evaluate(theta, work);
  }
  return std::isnan(accepted) ? 0 : accepted;
}

}  // namespace postern::infer::markov
