#include "moments/stated_term.hpp"

#include <cmath>

#include "moments/multigamma.hpp"
#include "moments/small_dense.hpp"

namespace postern::infer {

StatedTerm::StatedTerm(const ScatterProblem& problem, const UnknownPlaces& places, const ScatterOrder& order)
    : places_(places),
      degrees_(problem.stated->degrees),
      weight_(problem.stated->weight),
      latent_(std::holds_alternative<LatentTotal>(problem.total)) {
  if (!problem.stated->loose) return;
  loose_.resize(places.features);
  for (int a = 0; a < places.features; ++a)
    loose_(a) = problem.stated->scale[order.column[a] * problem.columns + order.column[a]];
}

void StatedTerm::fill_scale(const ScatterState& state, DenseMatrix& out) const {
  out = DenseMatrix::Zero(places_.features, places_.features);
  for (int i = 0; i < loose_.size(); ++i) out(i, i) = scale(state, i);
}

double StatedTerm::value(std::span<const double> q, const ScatterState& state,
                         const PooledMoments::Sums& sums, Workspace& work) const {
  const int d = places_.features;
  work.sum = sums.scatter;
  for (int i = 0; i < loose_.size(); ++i) work.sum(i, i) += scale(state, i);
  if (!factorise_lower(work.sum, work.factor)) return kMinusInfinity;
  work.log_sum = 2 * work.factor.diagonal().array().log().sum();
  const double e = 0.5 * degrees(state);
  double sum = -e * work.log_sum;
  // Psi_ii^(degrees / 2) and the density of log Psi_ii, in t = log s_i.
  for (int i = 0; i < loose_.size(); ++i)
    sum += (degrees_ + 1) * q[places_.log_sd + i] - 0.5 * scale(state, i) / loose_(i);
  if (latent_) {
    sum += log_multigamma_of(e, d) - log_multigamma_of(0.5 * (state.n - 1), d);
    sum += 0.5 * d * std::log(state.n / sums.n);
  }
  return sum;
}

void StatedTerm::slope(const ScatterState& state, Workspace& work, ScatterSlope& slope) const {
  const int d = places_.features;
  const double e = 0.5 * degrees(state);
  invert_lower(work.factor, work.rows);
  weigh_rows(work.rows, work.ones, work.inverse);
  slope.scatter -= e * work.inverse;
  for (int i = 0; i < loose_.size(); ++i)
    slope.log_tau_sd(i) += degrees_ + 1 - scale(state, i) * (1 / loose_(i) + 2 * e * work.inverse(i, i));
  if (!latent_) return;
  slope.log_n += state.n * (-0.5 * work.log_sum + 0.5 * multidigamma_of(e, d) -
                            0.5 * multidigamma_of(0.5 * (state.n - 1), d));
  slope.log_n += 0.5 * d * weight_ / (state.n + weight_);
}

}  // namespace postern::infer
