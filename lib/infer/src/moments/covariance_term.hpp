#pragma once

#include <span>

#include "moments/pooled.hpp"
#include "moments/scales_prior.hpp"

namespace postern::infer {

/// The law of the features' moments, their covariance integrated out, given its scales, and the prior of the
/// scales: Sigma ~ inverse-Wishart(nu + d - 1, nu D (I + f f^T) D), D = diag(tau).
class CovarianceTerm {
 public:
  CovarianceTerm(const UnknownPlaces& places, bool latent, double public_records, const ScalesPrior& scales);

  struct Workspace {
    explicit Workspace(int features);
    DenseMatrix sum;      ///< Psi + the pooled scatter of the features, lower triangle
    DenseMatrix factor;   ///< of that sum, lower
    DenseMatrix rows;     ///< of the factor's inverse
    DenseMatrix inverse;  ///< of the sum
    DenseVector ones;
    DenseVector along;     ///< tau_i f_i
    double log_sum = 0;    ///< log of the sum's determinant
    double log_scale = 0;  ///< log of Psi's
  };
  /// The logarithm; minus infinity where there is none.
  [[nodiscard]] double value(std::span<const double> q, const ScatterState& state,
                             const PooledMoments::Sums& sums, Workspace& work) const;
  /// Adds to slopes. @pre work is that of value
  void slope(const ScatterState& state, Workspace& work, ScatterSlope& slope) const;
  /// Its slopes are added after the others were carried back.
  [[nodiscard]] const ScalesPrior& scales() const { return scales_; }
  /// The scale of the covariance's prior, Psi.
  void fill_scale(const ScatterState& state, DenseMatrix& out) const;
  /// Degrees of freedom of that prior.
  [[nodiscard]] double degrees(const ScatterState& state) const { return state.nu + places_.features - 1; }

 private:
  [[nodiscard]] double power(const ScatterState& state) const;

  UnknownPlaces places_;
  bool latent_;
  double public_records_;
  ScalesPrior scales_;
};

}  // namespace postern::infer
