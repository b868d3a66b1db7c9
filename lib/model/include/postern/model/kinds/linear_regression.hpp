#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"
#include "postern/model/statistic/moments.hpp"

namespace postern::model {

/// Of columns that are scaled to [-1, 1] by their declared bounds, with d entries of features (a category of
/// r levels has r - 1): sigma2 ~ inverse-gamma(shape, rate); slopes | sigma2 ~ Normal(0, sigma2 / slopes),
/// the intercept ~ Normal(0, sigma2 / intercept); features ~ Normal(m, T), T ~ inverse-Wishart(d + 11, 10
/// spread I), m | T ~ Normal(0, T / mean_weight).
struct RegressionPrior {
  Rational slopes;  ///< 2 d spread by default: a prior R^2 of about 1/3 for any d
  Rational intercept = Rational(1, 20);
  Rational shape = 2;
  Rational rate = Rational(1, 10);
  Rational spread = Rational(1, 10);
  Rational mean_weight = Rational(1, 100);
};

/// A number as a linear function of other columns: target = intercept + sum slope * feature + Normal(0,
/// sigma2). Measured are the sums of products of w = (1, features, target): Moments.
struct LinearRegression {
  std::string target;
  std::vector<std::string> features;
  bool feature_products = true;  ///< are products of two features measured?
  std::int64_t steps = kMomentSteps;
  RegressionPrior prior;
  /// The prior's scales are learned; `prior` is the planning law's: R^2 about 1/3, the sd of a column a sixth
  /// of its range.
  bool learned = false;
};
[[nodiscard]] const Kind& kind_of(const LinearRegression& model);

/// Entries of w after the 1, the target last. @pre the study was checked
[[nodiscard]] std::vector<MomentEntry> regression_entries(const LinearRegression& model,
                                                          const Schema& schema);

/// scaled = (x - centre) / half: the declared ends of a number become -1 and 1.
struct RegressionScale {
  double centre = 0;
  double half = 1;
};
/// @pre is_regression_number
[[nodiscard]] RegressionScale regression_scale(const Column& column);

/// Intercept and slopes (d + 1 of them), and the standard deviation around them.
struct RegressionTheta {
  std::vector<double> beta;
  double sigma = 1;
};
/// The parameters, in the study's own units and the order of Kind::parameters: beta.1 (the intercept),
/// beta.2 ... (slopes, one an entry of features), sigma. The intercept is the target's mean where all numbers
/// are 0 and all categories at their first level.
[[nodiscard]] std::vector<double> natural_parameters(const RegressionTheta& scaled,
                                                     const LinearRegression& model, const Schema& schema);
/// Back from them. @pre d + 2 values
[[nodiscard]] RegressionTheta scaled_parameters(const std::vector<double>& natural,
                                                const LinearRegression& model, const Schema& schema);

/// Records of a regression that were made up: features from their prior, pulled to where the declared bounds
/// hold nearly all of them, as an owner means bounds to; coefficients from theirs, given that the bounds of
/// the target do too. Levels of a category are independent of everything else.
class SimulatedRegression : public SimulatedRecords {
 public:
  SimulatedRegression(std::vector<double> theta, std::vector<std::uint32_t> levels, std::size_t columns,
                      std::int64_t outside)
      : theta_(std::move(theta)), levels_(std::move(levels)), columns_(columns), outside_(outside) {}
  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override;
  [[nodiscard]] std::int64_t outside() const override { return outside_; }

 private:
  std::vector<double> theta_;          ///< natural_parameters
  std::vector<std::uint32_t> levels_;  ///< record by record: features, target
  std::size_t columns_;
  std::int64_t outside_;
};

}  // namespace postern::model
