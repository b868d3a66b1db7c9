#include "moments/unknowns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "moments/small_dense.hpp"

namespace postern::infer {
namespace {

/// The factor's weights: a row that comes k-th has the volume C_kk^(n - 1 - k) on the logarithm's scale.
double weight(const ScatterState& state, int k) { return state.n - 1 - k; }

bool within(double value, double low, double high) { return value > low && value < high; }

}  // namespace

UnknownPlaces::UnknownPlaces(const ScatterProblem& problem)
    : columns(static_cast<int>(problem.columns)),
      features(static_cast<int>(problem.features())),
      learned(!problem.stated),
      loose(problem.stated && problem.stated->loose) {
  factor = columns;
  target_row = factor + features * (features + 1) / 2;
  log_sd = factor + columns * (columns + 1) / 2;
  log_nu = log_sd + (learned || loose ? features : 0);
  log_g = log_nu + (learned ? 1 : 0);
  direction = log_g + (learned ? 1 : 0);
  log_tau = direction + (learned ? features : 0);
  log_lambda = log_tau + (problem.target ? 1 : 0);
  log_rate = log_lambda + (problem.target ? features : 0);
  log_n = log_rate + (problem.target ? 1 : 0);
  all = log_n + (std::holds_alternative<LatentTotal>(problem.total) ? 1 : 0);
}

ScatterMap::ScatterMap(const ScatterProblem& problem)
    : places_(problem),
      order_(order_columns(problem)),
      latent_(std::holds_alternative<LatentTotal>(problem.total)),
      known_n_(plausible_records(problem)),
      least_n_(static_cast<double>(least_records(problem))),
      most_n_(known_n_) {
  if (latent_)
    most_n_ = std::max(least_n_ + 1, static_cast<double>(std::get<LatentTotal>(problem.total).at_most));
  whitening_.value = DenseVector::Zero(places_.features);
  whitening_.variance = DenseVector::Ones(places_.features);
  whitening_.records = known_n_;
  if (places_.learned) return;
  stated_sd_.resize(places_.features);
  for (int i = 0; i < places_.features; ++i) {
    const std::size_t column = order_.column[i];
    stated_sd_(i) =
        std::sqrt(problem.stated->scale[column * problem.columns + column] / problem.stated->degrees);
  }
}

double ScatterMap::unit_of(std::span<const double> q, int column) const {
  if (!places_.learned && !places_.loose) return stated_sd_(column);
  const double sd = std::exp(q[places_.log_sd + column]);
  if (!places_.learned) return sd;
  const double loading = std::exp(q[places_.log_g]) * q[places_.direction + column];
  return sd / std::sqrt(1 + loading * loading);
}

bool ScatterMap::fill_covariance(std::span<const double> q, ScatterState& state) const {
  if (!places_.learned && !places_.loose) {
    state.sd = stated_sd_;
    state.log_sd = stated_sd_.array().log();
    return true;
  }
  if (places_.learned) {
    if (!within(q[places_.log_nu], -4, 8) || !within(q[places_.log_g], -20, 20)) return false;
    state.nu = std::exp(q[places_.log_nu]);
    state.g = std::exp(q[places_.log_g]);
  }
  for (int i = 0; i < places_.features; ++i) {
    if (!within(q[places_.log_sd + i], -14, 5)) return false;
    if (places_.learned) state.loading(i) = state.g * q[places_.direction + i];
    state.typical(i) = std::exp(q[places_.log_sd + i]);
    state.log_sd(i) = q[places_.log_sd + i] - 0.5 * std::log1p(state.loading(i) * state.loading(i));
    state.sd(i) = state.typical(i) / std::sqrt(1 + state.loading(i) * state.loading(i));
  }
  return true;
}

bool ScatterMap::fill_slope_scales(std::span<const double> q, ScatterState& state) const {
  const double t = q[places_.log_tau];
  if (!within(t, -40, 40) || !within(q[places_.log_rate], -40, 5)) return false;
  state.tau2 = std::exp(t) / places_.features;
  state.rate = std::exp(q[places_.log_rate]);
  for (int j = 0; j < places_.features; ++j) {
    if (!within(q[places_.log_lambda + j], -40, 40)) return false;
    state.lambda2(j) = std::exp(q[places_.log_lambda + j]);
    state.share(j) = state.tau2 * state.lambda2(j);
  }
  return true;
}

bool ScatterMap::fill_scales(std::span<const double> q, ScatterState& state) const {
  if (!fill_covariance(q, state)) return false;
  state.n = known_n_;
  if (latent_) {
    state.n = std::exp(q[places_.log_n]);
    if (!within(state.n, least_n_, most_n_)) return false;
  }
  return !regression() || fill_slope_scales(q, state);
}

bool ScatterMap::fill_row(std::span<const double> q, ScatterState& state) const {
  const int d = places_.features;
  const double variance = std::exp(2 * q[places_.target_row + d]);
  const double common = variance / (1 + state.share.sum());
  double last = variance;
  for (int j = 0; j < d; ++j) {
    const double prior = common * (state.share(j) + 1 / whitening_.records);
    const double noise = whitening_.variance(j);
    const double known = prior / (prior + noise);
    state.row_prior(j) = prior;
    state.row_sd(j) = std::sqrt(known * noise);
    state.row(j) = whitening_.value(j) * known + state.row_sd(j) * q[places_.target_row + j];
    last -= state.row(j) * state.row(j);
  }
  if (!(last > 1e-14 * variance)) return false;
  state.log_last = 0.5 * std::log(last);
  const double root = std::sqrt(state.n);
  for (int j = 0; j < d; ++j) state.factor(d, j) = root * state.row(j);
  state.factor(d, d) = root * std::exp(state.log_last);
  state.log_pivot(d) = state.log_last + 0.5 * std::log(state.n);
  return std::isfinite(state.log_last);
}

bool ScatterMap::fill_target(std::span<const double> q, ScatterState& state) const {
  if (!fill_slope_scales(q, state) || !fill_row(q, state)) return false;
  const int d = places_.features;
  for (int i = 0; i <= d; ++i) {
    double sum = 0;
    for (int k = 0; k <= i; ++k) sum += state.factor(d, k) * state.factor(i, k);
    state.scatter(d, i) = state.scatter(i, d) = sum;
  }
  return true;
}

bool ScatterMap::fill(std::span<const double> q, ScatterState& state) const {
  if (!fill_scales(q, state)) return false;
  const double root = std::sqrt(state.n);
  const double log_root = 0.5 * std::log(state.n);
  for (int i = 0; i < places_.columns; ++i) {
    state.mean(i) = q[i];
    if (!(std::abs(q[i]) < 1)) return false;
  }
  int at = places_.factor;
  for (int i = 0; i < places_.features; ++i) {
    for (int j = 0; j <= i; ++j, ++at) {
      const double unit = order_.hidden[i][j] ? root * state.sd(i) : root;
      state.factor(i, j) = unit * (i == j ? std::exp(q[at]) : q[at]);
    }
    if (!(state.factor(i, i) > 1e-12) || !std::isfinite(state.factor(i, i))) return false;
    state.log_pivot(i) = q[at - 1] + log_root + (order_.hidden[i][i] ? state.log_sd(i) : 0);
  }
  if (regression() && !fill_row(q, state)) return false;
  square_lower(state.factor, state.scatter);
  return true;
}

double ScatterMap::log_volume(const ScatterState& state) const {
  double sum = 0;
  for (int i = 0; i < places_.features; ++i) {
    sum += weight(state, i) * state.log_pivot(i);
    for (int j = 0; j < i; ++j) {
      if (order_.hidden[i][j]) sum += state.log_sd(i);
    }
  }
  if (latent_) sum += 0.25 * places_.columns * (places_.columns - 1) * std::log(state.n);
  return sum;
}

double ScatterMap::log_target_volume(const ScatterState& state) const {
  const int d = places_.features;
  const double last = 2 * state.log_last;
  const double variance = std::exp(last) + state.row.squaredNorm();
  return weight(state, d) * state.log_pivot(d) + state.row_sd.array().log().sum() + std::log(variance) - last;
}

void ScatterMap::take_back_factor(const ScatterState& state, ScatterSlope& slope,
                                  std::span<double> out) const {
  const double root = std::sqrt(state.n);
  int at = places_.factor;
  for (int i = 0; i < places_.features; ++i) {
    for (int j = 0; j <= i; ++j, ++at) {
      const bool hidden = order_.hidden[i][j];
      const double relative = slope.factor(i, j) * state.factor(i, j);
      out[at] = i == j ? relative + weight(state, i) : slope.factor(i, j) * root * (hidden ? state.sd(i) : 1);
      if (hidden) slope.log_tau_sd(i) += relative + (i == j ? weight(state, i) : 1);
    }
  }
}

void ScatterMap::take_back_row(std::span<const double> q, const ScatterState& state, ScatterSlope& slope,
                               std::span<double> out) const {
  const int d = places_.features;
  const double root = std::sqrt(state.n);
  const double last = std::exp(2 * state.log_last);
  const double variance = last + state.row.squaredNorm();
  const double by_last = slope.factor(d, d) * state.factor(d, d) + weight(state, d) - 2;
  double by_variance = by_last * variance / last + 2;
  const double total = 1 + state.share.sum();
  double down = 0;
  for (int j = 0; j < d; ++j) {
    const double by_row = slope.factor(d, j) * root - by_last * state.row(j) / last;
    const double prior = state.row_prior(j);
    const double noise = whitening_.variance(j);
    const double left = noise / (prior + noise);
    const double log_sd = 0.5 * left / prior;  // d log row_sd / d prior
    const double by_prior = by_row * (whitening_.value(j) * left / (prior + noise) +
                                      q[places_.target_row + j] * state.row_sd(j) * log_sd) +
                            log_sd;
    out[places_.target_row + j] = by_row * state.row_sd(j);
    by_variance += 2 * prior * by_prior;
    down += prior * by_prior / total;
    slope.log_share(j) += by_prior * variance / total * state.share(j);
  }
  out[places_.target_row + d] = by_variance;
  for (int j = 0; j < d; ++j) slope.log_share(j) -= down * state.share(j);
}

void ScatterMap::take_back_scales(const ScatterState& state, const ScatterSlope& slope,
                                  std::span<double> out) const {
  for (int i = 0; i < places_.features && (places_.learned || places_.loose); ++i)
    out[places_.log_sd + i] = slope.log_tau_sd(i);
  if (!places_.learned) return;
  double by_g = 0;
  for (int i = 0; i < places_.features; ++i) {
    const double f = state.loading(i);
    const double by_loading = slope.loading(i) - slope.log_tau_sd(i) * f / (1 + f * f);
    out[places_.direction + i] = by_loading * state.g;
    by_g += by_loading * f;
  }
  out[places_.log_g] = by_g;
  out[places_.log_nu] = slope.log_nu;
}

void ScatterMap::take_back(std::span<const double> q, const ScatterState& state, ScatterSlope& slope,
                           std::span<double> out) const {
  const int d = places_.features;
  twice_product_lower(slope.scatter, state.factor, slope.factor);
  add_multiple(1 / std::sqrt(state.n), slope.own.data(), slope.factor.data(),
               static_cast<int>(slope.own.size()));
  for (int i = 0; i < places_.columns; ++i) out[i] = slope.mean(i);
  take_back_factor(state, slope, out);
  take_back_scales(state, slope, out);
  if (regression()) {
    take_back_row(q, state, slope, out);
    out[places_.log_tau] = slope.log_share.sum();
    for (int j = 0; j < d; ++j) out[places_.log_lambda + j] = slope.log_share(j);
    out[places_.log_rate] = slope.log_rate;
  }
  if (!latent_) return;
  double by_n = slope.log_n + 0.25 * places_.columns * (places_.columns - 1);
  for (int i = 0; i < places_.columns; ++i) by_n += 0.5 * weight(state, i) + state.n * state.log_pivot(i);
  out[places_.log_n] = by_n + slope.scatter.cwiseProduct(state.scatter).sum();
}

void ScatterMap::put_row(const DenseVector& row, double log_last, std::span<double> q) const {
  const int d = places_.features;
  const double variance = std::exp(2 * log_last) + row.squaredNorm();
  DenseVector share(d);
  for (int j = 0; j < d; ++j) share(j) = std::exp(q[places_.log_tau] + q[places_.log_lambda + j]) / d;
  const double common = variance / (1 + share.sum());
  for (int j = 0; j < d; ++j) {
    const double prior = common * (share(j) + 1 / whitening_.records);
    const double known = prior / (prior + whitening_.variance(j));
    q[places_.target_row + j] =
        (row(j) - whitening_.value(j) * known) / std::sqrt(known * whitening_.variance(j));
  }
  q[places_.target_row + d] = 0.5 * std::log(variance);
}

}  // namespace postern::infer
