#include <algorithm>
#include <array>
#include <cmath>

#include "postern/core/special.hpp"

#include "learned_point.hpp"
#include "slope_error.hpp"

namespace postern::infer {
namespace {

/// The slope by log C_jj of a density whose slope by the unknown is `by`, the Jacobian's own included.
double by_known(const Whitened& known, const Known& seen, double apart, double z, double by) {
  return by * (known.share * seen.value_slope +
               known.by_variance(seen.variance, apart, z) * seen.variance_slope) +
         0.5 * known.share / seen.variance * seen.variance_slope;
}

}  // namespace

/// From slopes by the sums to those by their whitened unknowns and, added, by the predictor.
void LearnedGlmTarget::take_back_sums(std::span<const double> q, Point& at, std::span<double> out) const {
  const int d = places_.features;
  const double v = at.variance.value;
  FewNumbers by_expected(d + 1);
  at.by_log_pivot.setZero(d);
  double by_variance = 0;
  for (int j = 0; j <= d; ++j) {
    const Known& seen = at.known[j];
    const Whitened known(v / records_, seen.variance);
    const double z = q[places_.sums + j];
    const double by_sum = at.by_both(j);
    const double apart = seen.value - at.expected(j);
    const double by_share = apart + 0.5 * known.sd * z / known.share;
    if (j > 0) at.by_log_pivot(j - 1) = by_known(known, seen, apart, z, by_sum);
    by_variance += (by_sum * by_share * known.share + 0.5) * (1 - known.share) / v;
    by_expected(j) = by_sum * (1 - known.share);
    out[places_.sums + j] = by_sum * known.sd;
  }
  // The sums expected are (m_0, m_1 t / spread).
  const auto& mean = at.moments.mean;
  const double along = by_expected.tail(d).dot(at.t.tail(d)) / at.spread;
  const auto by = [&](double Sloped::*slope) {
    return by_expected(0) * mean[0].*slope + along * mean[1].*slope + by_variance * at.variance.*slope;
  };
  auto by_t = at.by_both.tail(d + 1);
  by_t(0) += by(&Sloped::by_centre);
  const double turned = mean[1].value / at.spread;
  by_t.tail(d) +=
      turned * by_expected.tail(d) + (by(&Sloped::by_spread) - turned * along) / at.spread * at.t.tail(d);
}

/// beta = sqrt n C^-T t: from slopes by beta to those by t, added, and by C / sqrt n.
void LearnedGlmTarget::take_back_slopes(Point& at, const ScatterState& state, ScatterSlope& slope) const {
  const int d = places_.features;
  const double root = std::sqrt(state.n);
  FewNumbers by_beta = -at.precision.cwiseProduct(at.beta);
  FewNumbers by_log_variance =
      FewNumbers::Constant(d, 0.5) - 0.5 * at.precision.cwiseProduct(at.beta.cwiseAbs2());
  at.by_log_share = -by_log_variance;
  if (!glm_.normal_features) {
    const FewNumbers theta = at.theta();
    FewNumbers by_theta = FewNumbers::Zero(d + 1);
    const auto size = static_cast<std::size_t>(d) + 1;
    add_non_normality_slope(glm_, feature_sums(state), state.n, {theta.data(), size},
                            {state.n * at.by_extra.third, state.n * at.by_extra.fourth},
                            {by_theta.data(), size});
    by_beta += by_theta.tail(d);
    by_log_variance += 0.5 * by_theta.tail(d).cwiseProduct(at.beta);
  }
  for (int j = 0; j < d; ++j) slope.scatter(j, j) += by_log_variance(j) / state.scatter(j, j);
  slope.log_n -= by_log_variance.sum();  // the features' variances are S / n
  FewNumbers turned = by_beta;
  state.factor.topLeftCorner(d, d).triangularView<Eigen::Lower>().solveInPlace(turned);
  at.by_both.tail(d) += root * turned;
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j <= i; ++j) slope.own(i, j) -= root * at.beta(i) * turned(j);
    slope.own(i, i) -= root / state.factor(i, i);
  }
}

void LearnedGlmTarget::take_back_row(std::span<const double> q, Point& at, std::span<double> out) const {
  const int d = places_.features;
  out[places_.centre] = at.by_both(d + 1);
  out[places_.log_tau] = 0;
  for (int j = 0; j < d; ++j) {
    const Whitened known(variance_ * at.share(j), at.row[j].variance);
    const double by_row = at.by_both(d + 2 + j);
    const double z = q[places_.row + j];
    out[places_.row + j] = by_row * known.sd;
    const double by_log_share =
        at.by_log_share(j) +
        (1 - known.share) * (0.5 + by_row * (known.share * at.row[j].value + 0.5 * known.sd * z));
    at.by_log_pivot(j) += by_known(known, at.row[j], at.row[j].value, z, by_row);
    out[places_.log_lambda + j] = by_log_share;
    out[places_.log_tau] += by_log_share;
  }
}

void LearnedGlmTarget::add_scales_slope(std::span<const double> q, std::span<double> out) const {
  const auto d = static_cast<std::size_t>(places_.features);
  const auto first = static_cast<std::size_t>(places_.log_lambda);
  scales_.slope(q[places_.log_tau], q.subspan(first, d), out[places_.log_tau], out.subspan(first, d));
  out[places_.centre] += 0.5 - 1 / (1 + std::exp(log_most_ - q[places_.centre]));
}

double LearnedGlmTarget::gradient(std::span<const double> q, ScatterWorkspace& work,
                                  std::span<double> out) const {
  Point at;
  at.sloped = true;
  const double density = value_at(q, work, at);
  if (density == kMinusInfinity) {
    std::fill(out.begin(), out.end(), 0.0);
    return density;
  }
  const int d = places_.features;
  const ScatterState& state = work.state;
  ScatterSlope& slope = work.slope;
  slope.clear();
  covariance_.slope(state, work.covariance, slope);
  noise_.slope(state, work.smooth, work.noise, slope);
  // The noisy sums with the target: their mean, and G_jy = sqrt n (C r)_j + n mean_j mean_y.
  at.by_both(0) += slope.mean(d);
  at.by_both.segment(1, d) += 2 * std::sqrt(state.n) * state.factor.topLeftCorner(d, d).transpose() *
                              slope.scatter.row(d).head(d).transpose();
  take_back_sums(q, at, out);
  take_back_slopes(at, state, slope);
  take_back_row(q, at, out);
  for (int j = 0; j < d; ++j) slope.own(j, j) += std::sqrt(state.n) * at.by_log_pivot(j) / state.factor(j, j);
  map_.take_back(q, state, slope, out);
  covariance_.scales().slope(q, state, out);
  add_scales_slope(q, out);
  if (map_.latent()) {
    const ExtraSlope& by = at.by_extra;
    out[map_.places().log_n] += 1 + 0.5 * (d + 1) + state.n * by.records - by.floor * at.extra.floor +
                                by.third * at.extra.third + by.fourth * at.extra.fourth;
  }
  return density;
}

}  // namespace postern::infer
