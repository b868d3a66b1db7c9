#include "moments/covariance_term.hpp"

#include <cmath>

#include "moments/multigamma.hpp"
#include "moments/small_dense.hpp"

namespace postern::infer {
namespace {

constexpr double kTypicalSd = 0.5;  // of s_i, the sd that a column usually has
constexpr double kNuCentre = 20;
constexpr double kNuSpread = 0.7;
constexpr double kNuMost = 80;
constexpr double kDirectionSpread = 0.5;

}  // namespace

CovarianceTerm::Workspace::Workspace(int features)
    : sum(DenseMatrix::Zero(features, features)),
      factor(sum),
      rows(sum),
      inverse(sum),
      ones(DenseVector::Ones(features)),
      along(ones) {}

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

double CovarianceTerm::log_scale_ratio(const ScatterState& state, double times) const {
  double square = 0;
  for (int i = 0; i < places_.features; ++i)
    square += state.sd(i) * state.sd(i) * (1 + state.loading(i) * state.loading(i));
  return 0.5 * square / (typical_sd_ * typical_sd_) * (1 - 1 / (times * times));
}

double CovarianceTerm::power(const ScatterState& state) const {
  return 0.5 * (degrees(state) + state.n + public_records_ - 1);
}

double CovarianceTerm::prior(std::span<const double> q, const ScatterState& state) const {
  double sum = 0;
  for (int i = 0; i < places_.features; ++i) {
    const double z = state.typical(i) / typical_sd_;
    sum += q[places_.log_sd + i] - 0.5 * z * z;
    const double x = std::abs(q[places_.direction + i]) / (kDirectionSpread * kDirectionSpread);
    sum += x + std::log1p(std::exp(-2 * x)) - 0.5 * x * x * kDirectionSpread * kDirectionSpread;
  }
  const double away = (q[places_.log_nu] - std::log(kNuCentre)) / kNuSpread;
  const double above = state.nu / kNuMost;
  sum -= 0.5 * (away * away + above * above);
  return sum + 2 * q[places_.log_g] - 2 * std::log1p(state.g * state.g);
}

void CovarianceTerm::prior_slope(std::span<const double> q, const ScatterState& state,
                                 std::span<double> out) const {
  for (int i = 0; i < places_.features; ++i) {
    const double z = state.typical(i) / typical_sd_;
    out[places_.log_sd + i] += 1 - z * z;
    const double precision = 1 / (kDirectionSpread * kDirectionSpread);
    const double x = q[places_.direction + i] * precision;
    out[places_.direction + i] += std::tanh(x) * precision - x;
  }
  const double away = (q[places_.log_nu] - std::log(kNuCentre)) / kNuSpread;
  const double above = state.nu / kNuMost;
  out[places_.log_nu] -= away / kNuSpread + above * above;
  out[places_.log_g] += 2 - 4 / (1 + 1 / (state.g * state.g));
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
  double sum = prior(q, state) + half * work.log_scale - e * work.log_sum + log_multigamma_of(e, d) -
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
