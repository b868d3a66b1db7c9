#include "moments/covariance_term.hpp"

#include <cmath>

#include "moments/multigamma.hpp"

namespace postern::infer {
namespace {

constexpr double kTypicalSd = 0.5;  // of s_i, the sd that a column usually has
constexpr double kNuCentre = 20;
constexpr double kNuSpread = 0.7;
constexpr double kNuMost = 80;
constexpr double kDirectionSpread = 0.5;

}  // namespace

CovarianceTerm::CovarianceTerm(const UnknownPlaces& places, bool latent, double public_records,
                               double prior_scale)
    : places_(places),
      latent_(latent),
      public_records_(public_records),
      typical_sd_(kTypicalSd * prior_scale) {}

void CovarianceTerm::fill_scale(const ScatterState& state, DenseMatrix& out) const {
  const DenseVector along = state.sd.cwiseProduct(state.loading);
  out.noalias() = state.nu * along * along.transpose();
  out.diagonal() += state.nu * state.sd.cwiseAbs2();
}

double CovarianceTerm::power(const ScatterState& state) const {
  return 0.5 * (degrees(state) + state.n + public_records_ - 1);
}

double CovarianceTerm::prior(std::span<const double> q) const {
  double sum = 0;
  for (int i = 0; i < places_.features; ++i) {
    const double t = q[places_.log_sd + i];
    const double z = std::exp(t) / typical_sd_;
    sum += t - 0.5 * z * z;
    const double x = std::abs(q[places_.direction + i]) / (kDirectionSpread * kDirectionSpread);
    sum += x + std::log1p(std::exp(-2 * x)) - 0.5 * x * x * kDirectionSpread * kDirectionSpread;
  }
  const double away = (q[places_.log_nu] - std::log(kNuCentre)) / kNuSpread;
  const double above = std::exp(q[places_.log_nu]) / kNuMost;
  sum -= 0.5 * (away * away + above * above);
  const double twice = 2 * q[places_.log_g];
  return sum + twice - 2 * std::log1p(std::exp(twice));
}

void CovarianceTerm::prior_slope(std::span<const double> q, std::span<double> out) const {
  for (int i = 0; i < places_.features; ++i) {
    const double z = std::exp(q[places_.log_sd + i]) / typical_sd_;
    out[places_.log_sd + i] += 1 - z * z;
    const double precision = 1 / (kDirectionSpread * kDirectionSpread);
    const double x = q[places_.direction + i] * precision;
    out[places_.direction + i] += std::tanh(x) * precision - x;
  }
  const double away = (q[places_.log_nu] - std::log(kNuCentre)) / kNuSpread;
  const double above = std::exp(q[places_.log_nu]) / kNuMost;
  out[places_.log_nu] -= away / kNuSpread + above * above;
  out[places_.log_g] += 2 - 4 / (1 + std::exp(-2 * q[places_.log_g]));
}

double CovarianceTerm::value(std::span<const double> q, const ScatterState& state,
                             const PooledMoments::Sums& sums, Workspace& work) const {
  const int d = places_.features;
  fill_scale(state, work.scale);
  work.sum = sums.scatter.topLeftCorner(d, d) + work.scale;
  work.factor.compute(work.sum);
  if (work.factor.info() != Eigen::Success) return kMinusInfinity;
  work.log_sum = 2 * work.factor.matrixLLT().diagonal().array().log().sum();
  work.log_scale =
      d * std::log(state.nu) + 2 * state.sd.array().log().sum() + std::log1p(state.loading.squaredNorm());
  const double half = 0.5 * degrees(state);
  const double e = power(state);
  double sum = prior(q) + half * work.log_scale - e * work.log_sum + log_multigamma_of(e, d) -
               log_multigamma_of(half, d);
  if (latent_) {
    sum -= log_multigamma_of(0.5 * (state.n - 1), d);
    sum += 0.5 * d * std::log(state.n / sums.n);
  }
  return sum;
}

void CovarianceTerm::slope(std::span<const double> /*q*/, const ScatterState& state, Workspace& work,
                           ScatterSlope& slope) const {
  const int d = places_.features;
  const double e = power(state);
  const double half = 0.5 * degrees(state);
  const DenseMatrix inverse = work.factor.solve(DenseMatrix::Identity(d, d));
  slope.scatter.topLeftCorner(d, d) -= e * inverse;
  // Psi = nu D (I + f f^T) D.
  const DenseMatrix by_entry = inverse.cwiseProduct(work.scale);
  const double trace = by_entry.sum();
  slope.log_tau_sd += DenseVector::Constant(d, 2 * half) - 2 * e * by_entry.rowwise().sum();
  slope.log_nu += state.nu * (0.5 * work.log_scale - 0.5 * work.log_sum +
                              0.5 * (multidigamma_of(e, d) - multidigamma_of(half, d)));
  slope.log_nu += half * d - e * trace;
  const DenseVector along = state.sd.cwiseProduct(state.loading);
  slope.loading += 2 * half * state.loading / (1 + state.loading.squaredNorm()) -
                   2 * e * state.nu * state.sd.cwiseProduct(inverse * along);
  if (!latent_) return;
  slope.log_n += state.n * (-0.5 * work.log_sum + 0.5 * multidigamma_of(e, d) -
                            0.5 * multidigamma_of(0.5 * (state.n - 1), d));
  slope.log_n += 0.5 * d * public_records_ / (state.n + public_records_);
}

}  // namespace postern::infer
