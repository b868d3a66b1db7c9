#include "moments/slopes_term.hpp"

#include <cmath>

#include "moments/multigamma.hpp"
#include "moments/small_dense.hpp"

namespace postern::infer {
namespace {

constexpr double kSigma = 0.2;

}  // namespace

SlopesTerm::Workspace::Workspace(const UnknownPlaces& places)
    : precision(DenseVector::Zero(places.features)),
      sum(DenseMatrix::Zero(places.columns, places.columns)),
      factor(sum),
      rows(sum),
      weight(DenseVector::Constant(places.columns, 0.5)),
      by_sum(sum) {}

SlopesTerm::SlopesTerm(const UnknownPlaces& places, bool latent, double public_records, double prior_scale)
    : places_(places),
      latent_(latent),
      public_records_(public_records),
      scales_(prior_scale),
      sigma2_(kSigma * kSigma * prior_scale * prior_scale) {}

double SlopesTerm::usual_log_tau() const { return scales_.usual_log_tau(); }

double SlopesTerm::usual_log_rate() const { return std::log(0.125 * sigma2_); }

double SlopesTerm::log_scale_ratio(const ScatterState& state, const Workspace& work,
                                   const DenseVector& slopes, double sigma, double times) const {
  const int d = places_.features;
  const double tau2 = state.tau2;
  double square = 0;  // of the slopes, in units that leave tau^2 alone
  for (int j = 0; j < d; ++j) square += slopes(j) * slopes(j) * work.precision(j) * tau2 / (sigma * sigma);
  const double variance = sigma * sigma;
  return scales_.log_ratio(square, d, times) -
         2 * std::log((variance + times * times * sigma2_) / (variance + sigma2_));
}

double SlopesTerm::prior(std::span<const double> q, const ScatterState& state) const {
  const int d = places_.features;
  const double t = q[places_.log_tau];
  double sum =
      -kHalfTau * (t + scales_.square() / (d * state.tau2)) + 2 * q[places_.log_rate] - state.rate / sigma2_;
  for (int j = 0; j < d; ++j) sum -= kHalfLocal * (q[places_.log_lambda + j] + 1 / state.lambda2(j));
  return sum;
}

void SlopesTerm::prior_slope(const ScatterState& state, std::span<double> out) const {
  const int d = places_.features;
  out[places_.log_tau] += kHalfTau * (scales_.square() / (d * state.tau2) - 1);
  out[places_.log_rate] += 2 - state.rate / sigma2_;
  for (int j = 0; j < d; ++j) out[places_.log_lambda + j] += kHalfLocal * (1 / state.lambda2(j) - 1);
}

bool SlopesTerm::factorise(const ScatterState& state, const PooledMoments::Sums& sums,
                           Workspace& work) const {
  const int d = places_.features;
  for (int j = 0; j <= d; ++j) {
    for (int i = j; i <= d; ++i) work.sum(i, j) = sums.scatter(i, j);
  }
  for (int j = 0; j < d; ++j) {
    work.precision(j) = sums.scatter(j, j) / (sums.n * state.share(j));
    if (!(work.precision(j) > 0)) return false;
    work.sum(j, j) += work.precision(j);
  }
  work.sum(d, d) += 2 * state.rate;
  return factorise_lower(work.sum, work.factor);
}

double SlopesTerm::value(std::span<const double> q, const ScatterState& state,
                         const PooledMoments::Sums& sums, Workspace& work) const {
  const int d = places_.features;
  if (!factorise(state, sums, work)) return kMinusInfinity;
  double sum = prior(q, state) - 2 * power(sums.n) * std::log(work.factor(d, d));
  for (int j = 0; j < d; ++j) sum += std::log(std::sqrt(work.precision(j)) / work.factor(j, j));
  if (latent_)
    sum += log_gamma(power(sums.n)) - log_gamma(0.5 * (state.n - 1 - d)) + 0.5 * std::log(state.n / sums.n);
  return sum;
}

void SlopesTerm::slope(const ScatterState& state, const PooledMoments::Sums& sums, Workspace& work,
                       ScatterSlope& slope) const {
  const int d = places_.features;
  // -K^T diag(1/2, ..., 1/2, power) K, K the inverse of the factor.
  work.weight(d) = power(sums.n);
  invert_lower(work.factor, work.rows);
  weigh_rows(work.rows, work.weight, work.by_sum);
  for (int j = 0; j <= d; ++j) {
    for (int i = 0; i <= d; ++i) slope.scatter(i, j) -= work.by_sum(i, j);
  }
  double lost = 0;
  for (int j = 0; j < d; ++j) {
    const double by_precision = 0.5 - work.precision(j) * work.by_sum(j, j);  // its logarithm's
    slope.log_share(j) -= by_precision;
    slope.scatter(j, j) += by_precision / sums.scatter(j, j);
    lost += by_precision;
  }
  slope.log_rate -= 2 * state.rate * work.by_sum(d, d);
  if (!latent_) return;
  const double last = std::log(work.factor(d, d));
  slope.log_n +=
      state.n * (-last + 0.5 * digamma_of(power(sums.n)) - 0.5 * digamma_of(0.5 * (state.n - 1 - d)));
  slope.log_n += 0.5 * public_records_ / sums.n - state.n / sums.n * lost;
}

}  // namespace postern::infer
