#include "moments/unknowns.hpp"

namespace postern::infer {

ScatterState::ScatterState(const UnknownPlaces& places)
    : mean(DenseVector::Zero(places.columns)),
      factor(DenseMatrix::Zero(places.columns, places.columns)),
      scatter(factor),
      log_pivot(mean),
      typical(DenseVector::Zero(places.features)),
      loading(typical),
      sd(typical),
      log_sd(typical),
      share(typical),
      lambda2(typical),
      row(sd),
      row_sd(sd),
      row_prior(sd) {}

ScatterSlope::ScatterSlope(const UnknownPlaces& places)
    : mean(DenseVector::Zero(places.columns)),
      scatter(DenseMatrix::Zero(places.columns, places.columns)),
      factor(scatter),
      own(scatter),
      log_tau_sd(DenseVector::Zero(places.features)),
      loading(log_tau_sd),
      log_share(log_tau_sd) {}

void ScatterSlope::clear() {
  mean.setZero();
  scatter.setZero();
  own.setZero();
  for (DenseVector* one : {&log_tau_sd, &loading, &log_share}) one->setZero();
  log_nu = log_rate = log_n = 0;
}

}  // namespace postern::infer
