#pragma once

#include <string>
#include <vector>

#include "postern/model/family.hpp"
#include "postern/model/wishart.hpp"

namespace postern::model {

/// The prior's numbers in one row: mean, weight, degrees, scale row by row.
/// @pre d + 2 + d * d numbers for d columns
[[nodiscard]] MultivariateNormal with_prior(MultivariateNormal model, const std::vector<Rational>& numbers);
/// The prior in doubles.
[[nodiscard]] WishartPrior wishart_prior(const MultivariateNormal& model);
/// What a prior asks of chains that they cannot do, in words; nothing for nearly every prior.
[[nodiscard]] std::vector<std::string> prior_notes(const Model& model);

/// One unknown of the model: "mu.1", "mean of height"; "Sigma.1.2", "covariance of height and weight".
struct VectorParameter {
  std::string name;  ///< CmdStan-legal
  std::string label;
};
/// The means, then the upper triangle of Sigma row by row.
[[nodiscard]] std::vector<VectorParameter> vector_parameters(const MultivariateNormal& model);
/// The values of vector_parameters, in that order.
[[nodiscard]] std::vector<double> parameter_values(const VectorTheta& theta);
/// Back from parameter_values; `root` is empty unless the covariance is positive definite.
/// @pre d + d (d + 1) / 2 values
[[nodiscard]] VectorTheta vector_theta(const std::vector<double>& values, std::size_t d);

}  // namespace postern::model
