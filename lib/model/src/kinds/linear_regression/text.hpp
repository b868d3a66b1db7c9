#pragma once

#include "postern/model/kinds/linear_regression.hpp"

namespace postern::model {

/// From a study or a document. Features are all other columns, and the prior the usual one, where a study
/// leaves them out.
[[nodiscard]] LinearRegression read_regression(Node& node, const Schema& schema);
[[nodiscard]] JsonValue write_regression(const LinearRegression& model);

/// The prior's numbers in one row: slopes, intercept, shape, rate, spread, mean_weight.
[[nodiscard]] std::vector<Rational> prior_numbers(const RegressionPrior& prior);
[[nodiscard]] RegressionPrior regression_prior(const std::vector<Rational>& numbers);

/// Refuses columns that are not a number and what it may depend on, and priors out of range.
void check_regression(const LinearRegression& model, const Schema& schema);

}  // namespace postern::model
