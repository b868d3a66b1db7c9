#pragma once

#include <span>

#include "moments/pooled.hpp"
#include "moments/slope_scales.hpp"

namespace postern::infer {

/// The law of the target's moments given the features', slopes, intercept and sigma2 integrated out, and the
/// prior of their scales: slopes beta_j ~ Normal(0, sigma2 tau^2 lambda_j^2 / var_j), var_j the variance of
/// the feature among the records; lambda_j^2 and tau^2 inverse-gamma; sigma2 / (sigma2 + 0.04) uniform.
class SlopesTerm {
 public:
  SlopesTerm(const UnknownPlaces& places, bool latent, double public_records, double prior_scale);

  struct Workspace {
    explicit Workspace(const UnknownPlaces& places);
    DenseVector precision;  ///< of the slopes, times sigma2
    DenseMatrix sum;        ///< the pooled scatter, precisions and 2 b0 on its diagonal, lower triangle
    DenseMatrix factor;     ///< of that sum, lower
    DenseMatrix rows;       ///< of the factor's inverse
    DenseVector weight;     ///< of these rows
    DenseMatrix by_sum;     ///< minus the slope in the sum
  };
  [[nodiscard]] double value(std::span<const double> q, const ScatterState& state,
                             const PooledMoments::Sums& sums, Workspace& work) const;
  /// Adds to slopes. @pre work is that of value
  void slope(const ScatterState& state, const PooledMoments::Sums& sums, Workspace& work,
             ScatterSlope& slope) const;
  void prior_slope(const ScatterState& state, std::span<double> out) const;
  /// Half the precision of 1 / sigma2's law given the moments.
  [[nodiscard]] double power(double pooled_records) const { return 1 + 0.5 * (pooled_records - 1); }
  /// Fills the workspace's factor. False where the moments are none.
  [[nodiscard]] bool factorise(const ScatterState& state, const PooledMoments::Sums& sums,
                               Workspace& work) const;
  /// log p(slopes, sigma | scales about `times` what they are) - log p(slopes, sigma), up to a constant, tau
  /// and b0 integrated out, lambda given. Slopes in the factor's order. @pre work is that of value
  [[nodiscard]] double log_scale_ratio(const ScatterState& state, const Workspace& work,
                                       const DenseVector& slopes, double sigma, double times) const;
  /// The centre of log(d tau^2) under the prior, where chains begin.
  [[nodiscard]] double usual_log_tau() const;
  [[nodiscard]] double usual_log_rate() const;

 private:
  [[nodiscard]] double prior(std::span<const double> q, const ScatterState& state) const;

  UnknownPlaces places_;
  bool latent_;
  double public_records_;
  SlopeScales scales_;
  double sigma2_;
};

}  // namespace postern::infer
