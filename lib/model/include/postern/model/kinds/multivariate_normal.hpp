#pragma once

#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"
#include "postern/model/wishart.hpp"

namespace postern::model {

/// The numbers of two to eight columns are jointly Normal(mu, Sigma); Sigma ~ inverse-Wishart(degrees,
/// scale), mu | Sigma ~ Normal(mean, Sigma / weight).
struct MultivariateNormal {
  std::vector<std::string> columns;
  std::vector<Rational> mean;   ///< one a column
  Rational weight;              ///< records that the mean is worth
  Rational degrees;             ///< above columns - 1
  std::vector<Rational> scale;  ///< row-major, symmetric, positive definite
  bool loose = false;           ///< as WishartPrior's: behind principal components alone
  /// The prior's scales are learned (docs/priors.md); its numbers are then the planning law's.
  bool learned = false;
};
[[nodiscard]] const Kind& kind_of(const MultivariateNormal& model);

/// The prior's numbers in one row: mean, weight, degrees, scale row by row.
/// @pre d + 2 + d * d numbers for d columns
[[nodiscard]] MultivariateNormal with_prior(MultivariateNormal model, const std::vector<Rational>& numbers);
/// The prior in doubles.
[[nodiscard]] WishartPrior wishart_prior(const MultivariateNormal& model);

/// The means, then the upper triangle of Sigma row by row: "mu.1", "mean of height"; "Sigma.1.2", ...
[[nodiscard]] std::vector<Parameter> vector_parameters(const MultivariateNormal& model);
/// The values of vector_parameters, in that order.
[[nodiscard]] std::vector<double> parameter_values(const VectorTheta& theta);
/// Back from parameter_values; `root` is empty unless the covariance is positive definite.
/// @pre d + d (d + 1) / 2 values
[[nodiscard]] VectorTheta vector_theta(const std::vector<double>& values, std::size_t d);

/// Vectors that were made up.
class SimulatedVectors : public SimulatedRecords {
 public:
  SimulatedVectors(std::vector<double> theta, std::vector<std::uint32_t> levels, VectorSums sums,
                   std::int64_t outside)
      : theta_(std::move(theta)), levels_(std::move(levels)), sums_(std::move(sums)), outside_(outside) {}
  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override;
  [[nodiscard]] std::int64_t outside() const override { return outside_; }
  /// Of the vectors as they were drawn, before they were encoded.
  [[nodiscard]] const VectorSums& sums() const { return sums_; }

 private:
  std::vector<double> theta_;
  std::vector<std::uint32_t> levels_;  ///< record by record
  VectorSums sums_;
  std::int64_t outside_;
};

}  // namespace postern::model
