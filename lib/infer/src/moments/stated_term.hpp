#pragma once

#include <span>

#include "moments/covariance_term.hpp"

namespace postern::infer {

/// The law of the columns' moments under a prior of means and covariance that is stated, both integrated out:
/// Sigma ~ inverse-Wishart(degrees, Psi), means ~ Normal(mean, Sigma / weight). Its mean, weight and known
/// Psi are pooled with the records, as if they had been seen. A loose Psi is diagonal, each entry
/// chi-square(1) times what is stated: an unknown, degrees s_i^2, s_i the sd whose logarithm chains move.
class StatedTerm {
 public:
  StatedTerm(const ScatterProblem& problem, const UnknownPlaces& places, const ScatterOrder& order);

  using Workspace = CovarianceTerm::Workspace;
  /// The logarithm; minus infinity where there is none.
  [[nodiscard]] double value(std::span<const double> q, const ScatterState& state,
                             const PooledMoments::Sums& sums, Workspace& work) const;
  /// Adds to slopes. @pre work is that of value
  void slope(const ScatterState& state, Workspace& work, ScatterSlope& slope) const;
  /// Of Psi, what is not pooled.
  void fill_scale(const ScatterState& state, DenseMatrix& out) const;
  /// Degrees of Sigma's law given the moments.
  [[nodiscard]] double degrees(const ScatterState& state) const { return degrees_ + state.n; }

 private:
  /// An entry of a loose Psi.
  [[nodiscard]] double scale(const ScatterState& state, int i) const {
    return degrees_ * state.sd(i) * state.sd(i);
  }

  UnknownPlaces places_;
  double degrees_;
  double weight_;
  bool latent_;
  DenseVector loose_;  ///< the mean of each entry of Psi, by position; empty where Psi is known
};

}  // namespace postern::infer
