#include "moments/slopes_term.hpp"

#include <cmath>

#include "moments/multigamma.hpp"

namespace postern::infer {
namespace {

constexpr double kSlopes = 0.8;  // tau is about 0.8 / sqrt(d)
constexpr double kSigma = 0.2;
constexpr double kHalfTau = 1.5;  // half the degrees of freedom of tau^2's prior
constexpr double kLocal = 3;      // degrees of freedom of lambda's

}  // namespace

SlopesTerm::SlopesTerm(const UnknownPlaces& places, bool latent, double public_records, double prior_scale)
    : places_(places),
      latent_(latent),
      public_records_(public_records),
      slopes2_(kSlopes * kSlopes * prior_scale * prior_scale),
      sigma2_(kSigma * kSigma * prior_scale * prior_scale) {}

double SlopesTerm::usual_log_tau() const { return std::log(slopes2_); }

double SlopesTerm::usual_log_rate() const { return std::log(0.125 * sigma2_); }

double SlopesTerm::prior(std::span<const double> q) const {
  const double t = q[places_.log_tau];
  const double rho = q[places_.log_rate];
  double sum = -kHalfTau * (t + slopes2_ * std::exp(-t)) + 2 * rho - std::exp(rho) / sigma2_;
  for (int j = 0; j < places_.features; ++j) {
    const double l = q[places_.log_lambda + j];
    sum += 0.5 * l - 0.5 * (kLocal + 1) * std::log1p(std::exp(l) / kLocal);
  }
  return sum;
}

void SlopesTerm::prior_slope(std::span<const double> q, std::span<double> out) const {
  out[places_.log_tau] += kHalfTau * (slopes2_ * std::exp(-q[places_.log_tau]) - 1);
  out[places_.log_rate] += 2 - std::exp(q[places_.log_rate]) / sigma2_;
  for (int j = 0; j < places_.features; ++j) {
    const double e = std::exp(q[places_.log_lambda + j]) / kLocal;
    out[places_.log_lambda + j] += 0.5 - 0.5 * (kLocal + 1) * e / (1 + e);
  }
}

bool SlopesTerm::factorise(const ScatterState& state, const PooledMoments::Sums& sums,
                           Workspace& work) const {
  const int d = places_.features;
  work.precision.resize(d);
  for (int j = 0; j < d; ++j) work.precision(j) = sums.scatter(j, j) / (sums.n * state.share(j));
  work.sum = sums.scatter;
  work.sum.diagonal().head(d) += work.precision;
  work.sum(d, d) += 2 * state.rate;
  work.factor.compute(work.sum);
  return work.factor.info() == Eigen::Success && work.precision.minCoeff() > 0;
}

double SlopesTerm::value(std::span<const double> q, const ScatterState& state,
                         const PooledMoments::Sums& sums, Workspace& work) const {
  const int d = places_.features;
  if (!factorise(state, sums, work)) return kMinusInfinity;
  const auto pivots = work.factor.matrixLLT().diagonal();
  double sum = prior(q) + 0.5 * work.precision.array().log().sum() - pivots.head(d).array().log().sum() -
               2 * power(sums.n) * std::log(pivots(d));
  if (latent_)
    sum += log_gamma(power(sums.n)) - log_gamma(0.5 * (state.n - 1 - d)) + 0.5 * std::log(state.n / sums.n);
  return sum;
}

void SlopesTerm::slope(const ScatterState& state, const PooledMoments::Sums& sums, Workspace& work,
                       ScatterSlope& slope) const {
  const int d = places_.features;
  // -K^T diag(1/2, ..., 1/2, power) K, K the inverse of the factor.
  work.inverse.setIdentity(d + 1, d + 1);
  work.factor.matrixL().solveInPlace(work.inverse);
  work.inverse.topRows(d) *= std::sqrt(0.5);
  work.inverse.row(d) *= std::sqrt(power(sums.n));
  work.by_sum.noalias() = -(work.inverse.transpose() * work.inverse);
  slope.scatter += work.by_sum;
  double lost = 0;
  for (int j = 0; j < d; ++j) {
    const double by_precision = work.precision(j) * work.by_sum(j, j) + 0.5;  // its logarithm's
    slope.log_share(j) -= by_precision;
    slope.scatter(j, j) += by_precision / sums.scatter(j, j);
    lost += by_precision;
  }
  slope.log_rate += 2 * state.rate * work.by_sum(d, d);
  if (!latent_) return;
  const double last = std::log(work.factor.matrixLLT()(d, d));
  slope.log_n +=
      state.n * (-last + 0.5 * digamma_of(power(sums.n)) - 0.5 * digamma_of(0.5 * (state.n - 1 - d)));
  slope.log_n += 0.5 * public_records_ / sums.n - state.n / sums.n * lost;
}

}  // namespace postern::infer
