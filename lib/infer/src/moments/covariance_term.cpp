#include "moments/covariance_term.hpp"

#include <cmath>

#include "moments/multigamma.hpp"
#include "moments/small_dense.hpp"

namespace postern::infer {
CovarianceTerm::Workspace::Workspace(int features)
    : sum(DenseMatrix::Zero(features, features)),
      factor(sum),
      rows(sum),
      inverse(sum),
      ones(DenseVector::Ones(features)),
      along(ones) {}

CovarianceTerm::CovarianceTerm(const UnknownPlaces& places, bool latent, double public_records,
                               const ScalesPrior& scales)
    : places_(places), latent_(latent), public_records_(public_records), scales_(scales) {}

void CovarianceTerm::fill_scale(const ScatterState& state, DenseMatrix& out) const {
  const DenseVector along = state.sd.cwiseProduct(state.loading);
  out.noalias() = state.nu * along * along.transpose();
  out.diagonal() += state.nu * state.sd.cwiseAbs2();
}

double CovarianceTerm::power(const ScatterState& state) const {
  return 0.5 * (degrees(state) + state.n + public_records_ - 1);
}

double CovarianceTerm::value(std::span<const double> q, const ScatterState& state,
                             const PooledMoments::Sums& sums, Workspace& work) const {
  const int d = places_.features;
  double log_scale = d * q[places_.log_nu] + std::log1p(state.loading.squaredNorm());
  for (int i = 0; i < d; ++i) {
    work.along(i) = state.sd(i) * state.loading(i);
    log_scale += 2 * state.log_sd(i);
  }
  for (int j = 0; j < d; ++j) {
    const double by = state.nu * work.along(j);
    for (int i = j; i < d; ++i) work.sum(i, j) = sums.scatter(i, j) + by * work.along(i);
    work.sum(j, j) += state.nu * state.sd(j) * state.sd(j);
  }
  if (!factorise_lower(work.sum, work.factor)) return kMinusInfinity;
  work.log_sum = 2 * work.factor.diagonal().array().log().sum();
  work.log_scale = log_scale;
  const double half = 0.5 * degrees(state);
  const double e = power(state);
  double sum = scales_.value(q, state) + half * work.log_scale - e * work.log_sum + log_multigamma_of(e, d) -
               log_multigamma_of(half, d);
  if (latent_) {
    sum -= log_multigamma_of(0.5 * (state.n - 1), d);
    sum += 0.5 * d * std::log(state.n / sums.n);
  }
  return sum;
}

void CovarianceTerm::slope(const ScatterState& state, Workspace& work, ScatterSlope& slope) const {
  const int d = places_.features;
  const double e = power(state);
  const double half = 0.5 * degrees(state);
  invert_lower(work.factor, work.rows);
  weigh_rows(work.rows, work.ones, work.inverse);
  // Psi = nu D (I + f f^T) D.
  const double by_loading = 2 * half / (1 + state.loading.squaredNorm());
  double trace = 0;  // of the inverse times Psi
  for (int i = 0; i < d; ++i) {
    double turned = 0;
    for (int j = 0; j < d; ++j) {
      slope.scatter(j, i) -= e * work.inverse(j, i);
      turned += work.inverse(j, i) * work.along(j);
    }
    const double own = state.nu * (work.along(i) * turned + work.inverse(i, i) * state.sd(i) * state.sd(i));
    trace += own;
    slope.log_tau_sd(i) += 2 * half - 2 * e * own;
    slope.loading(i) += by_loading * state.loading(i) - 2 * e * state.nu * state.sd(i) * turned;
  }
  slope.log_nu += state.nu * (0.5 * work.log_scale - 0.5 * work.log_sum +
                              0.5 * (multidigamma_of(e, d) - multidigamma_of(half, d)));
  slope.log_nu += half * d - e * trace;
  if (!latent_) return;
  slope.log_n += state.n * (-0.5 * work.log_sum + 0.5 * multidigamma_of(e, d) -
                            0.5 * multidigamma_of(0.5 * (state.n - 1), d));
  slope.log_n += 0.5 * d * public_records_ / (state.n + public_records_);
}

}  // namespace postern::infer
