#pragma once

#include <span>

#include "moments/unknowns.hpp"

namespace postern::infer {

/// The prior of the scales behind the features' covariance, s, nu, g and u: scatter_posterior.md. Where the
/// columns' axes are asked for, sds are alike in the units that these axes are in.
class ScalesPrior {
 public:
  ScalesPrior(const UnknownPlaces& places, const ScatterProblem& problem, const ScatterOrder& order);
  /// The prior of features, whose axes nobody asks for; `times` multiplies their typical sd.
  ScalesPrior(const UnknownPlaces& places, double times);

  /// The logarithm, up to a constant.
  [[nodiscard]] double value(std::span<const double> q, const ScatterState& state) const;
  /// Adds its slope.
  void slope(std::span<const double> q, const ScatterState& state, std::span<double> out) const;
  /// log p(s | typical sds about `times` what they are) - log p(s), up to a constant.
  [[nodiscard]] double log_scale_ratio(const ScatterState& state, double times) const;

 private:
  [[nodiscard]] bool of_axes() const { return log_units_.size() > 0; }
  /// Log sds in the columns' units, about their mean.
  [[nodiscard]] DenseVector apart(std::span<const double> q) const;

  UnknownPlaces places_;
  double typical_sd_;
  DenseVector log_units_;  ///< by position; empty where axes are not asked for
};

}  // namespace postern::infer
