#pragma once

#include <string>
#include <vector>

#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/model.hpp"
#include "postern/model/node.hpp"

// What the kinds of regressions (linear, generalised linear, logistic by gradients) have in common.

namespace postern::model {

/// The features, the target last.
[[nodiscard]] std::vector<std::string> regression_columns(const std::vector<std::string>& features,
                                                          const std::string& target);

/// The column that depends on the others, which the schema must have.
[[nodiscard]] std::string read_target(Node& node, const Schema& schema);
/// As the study names them, or all columns but the target.
[[nodiscard]] std::vector<std::string> read_features(Node& node, const std::string& target,
                                                     const Schema& schema);
/// The one number of prior = {normal = sd}, where the study has it; else `otherwise`.
[[nodiscard]] Rational read_normal_prior(Node& node, const Rational& otherwise);

/// Refuses a number whose records are dropped for what they hold: they bend a regression.
void check_kept(const Column& column);

/// The scale of every entry of features: that of its number, or an indicator's own.
[[nodiscard]] std::vector<RegressionScale> feature_scales(const std::vector<std::string>& features,
                                                          const std::string& target, const Schema& schema);
/// From columns in [-1, 1] to the study's own units, and back. Coefficients are the intercept's, if there is
/// one, and a slope an entry of features.
[[nodiscard]] std::vector<double> in_own_units(std::vector<double> scaled, bool intercept,
                                               const std::vector<RegressionScale>& scales);
[[nodiscard]] std::vector<double> in_scaled_units(std::vector<double> natural, bool intercept,
                                                  const std::vector<RegressionScale>& scales);

/// "beta.1", ...: the intercept where there is one, then a slope an entry of features.
[[nodiscard]] std::vector<Parameter> coefficient_parameters(const std::vector<std::string>& features,
                                                            const std::string& target, bool intercept,
                                                            const Schema& schema);

}  // namespace postern::model
