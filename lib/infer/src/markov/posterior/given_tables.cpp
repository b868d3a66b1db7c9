#include "markov/posterior/given_tables.hpp"

#include <utility>

namespace postern::infer::markov {

GivenTables::GivenTables(const PosteriorSetting& setting) : setting_(&setting) {
  const std::size_t rank = setting.basis.rank();
  Matrix precision(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      precision(i, j) = (setting.total + setting.known_total) * setting.covariance(i, j);
    precision(i, i) += 1 / setting.prior_variance;
  }
  Matrix factor = factor_of_covariance(precision);
  Matrix inverse(rank);
  invert_factor(factor, rank, inverse);
  whitened_ = LowerMap(std::move(inverse));
  factor_ = LowerMap(std::move(factor));
}

GivenTables::State GivenTables::init() const {
  const std::size_t rank = setting_->basis.rank();
  return {HamiltonianState(rank), std::vector<double>(rank), 0};
}

double GivenTables::move(std::span<double> t, std::span<const double> cells, double total, State& state,
                         graph::LogLinear::Workspace& work, std::vector<double>& theta, Rng& rng) const {
  constexpr int kTrajectories = 2;
  const std::size_t rank = t.size();
  const graph::LogLinear& model = *setting_->data.model;
  setting_->basis.reduce(cells, state.counts);
  for (std::size_t i = 0; i < rank; ++i) state.counts[i] += setting_->known[i];
  total += setting_->known_total;
  std::vector<double> at(rank);
  std::vector<double> own(rank);
  const auto place = [&](std::span<const double> x) {
    whitened_.apply_transposed(x, at);
    for (std::size_t i = 0; i < rank; ++i) at[i] += setting_->mode[i];
    setting_->basis.expand(at, theta);
    model.evaluate(theta, work);
  };
  const auto gradient = [&](std::span<const double> x, std::span<double> slope) {
    place(x);
    setting_->basis.reduce(work.marginals, own);
    double value = -total * work.log_partition;
    for (std::size_t i = 0; i < rank; ++i) {
      value += at[i] * (state.counts[i] - 0.5 * at[i] / setting_->prior_variance);
      own[i] = state.counts[i] - total * own[i] - at[i] / setting_->prior_variance;
    }
    whitened_.apply(own, slope);
    return value;
  };
  for (std::size_t i = 0; i < rank; ++i) own[i] = t[i] - setting_->mode[i];
  factor_.apply_transposed(own, state.chain.x);
  state.chain.log_density = gradient(state.chain.x, state.chain.slope);
  double accepted = 0;
  for (int i = 0; i < kTrajectories; ++i) accepted += take_trajectory(state.chain, gradient, rng);
  place(state.chain.x);
  for (std::size_t i = 0; i < rank; ++i) t[i] = at[i];
  return accepted / kTrajectories;
}

}  // namespace postern::infer::markov
