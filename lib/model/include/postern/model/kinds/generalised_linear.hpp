#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/model.hpp"
#include "postern/model/statistic/moments.hpp"

namespace postern::model {

enum class GlmFamily {
  logistic,  ///< a column of two levels: logit P(second level) = predictor
  poisson,   ///< a count 0..most: log of its mean = predictor
};
/// What studies call it: "logistic-regression", "poisson-regression".
[[nodiscard]] std::string_view to_text(GlmFamily family);

/// A generalised linear model of a column on others, from one release: predictor = intercept + sum slope *
/// feature. Measured are sums of products of w = (1, features, target), as of a linear regression but without
/// the target's square: what the quadratic in the predictor that is nearest to the log likelihood needs
/// (Huggins et al. 2017, Kulkarni et al. 2021).
struct GeneralisedLinear {
  GlmFamily family = GlmFamily::logistic;
  std::string target;
  std::vector<std::string> features;
  bool feature_products = true;  ///< are products of two features measured?
  std::int64_t steps = kMomentSteps;
  Rational prior_sd = Rational(5, 2);  ///< of slopes of scaled columns, Normal(0, sd^2)
  /// The scales of the prior are learned from the release; studies are then planned for by `prior_sd`, the
  /// default's.
  bool learned = false;
};
[[nodiscard]] const Kind& kind_of(const GeneralisedLinear& model);

/// The default of `prior_sd`: 5/2 of odds, 1 of counts.
[[nodiscard]] Rational default_glm_sd(GlmFamily family);

/// The law of the features of scaled columns, as a linear regression's by default.
inline constexpr double kGlmSpread = 0.1;
inline constexpr double kGlmMeanWeight = 0.01;

/// Entries of w after the 1, the target last. Fails: bad_value for columns that cannot be.
[[nodiscard]] std::vector<MomentEntry> glm_entries(const GeneralisedLinear& model, const Schema& schema);
/// The largest count of a Poisson target; 1 of a target of two levels.
[[nodiscard]] std::int64_t glm_most(const GeneralisedLinear& model, const Schema& schema);

/// The intercept, where all numbers are at the middle of their range: Normal(mean, sd^2). Of odds (0,
/// prior_sd); of counts (log(most) / 2, 2 prior_sd).
struct InterceptPrior {
  double mean = 0;
  double sd = 1;
};
[[nodiscard]] InterceptPrior intercept_prior(const GeneralisedLinear& model, const Schema& schema);

/// Parameters as people read them, the intercept first, from those of scaled columns; and back.
[[nodiscard]] std::vector<double> natural_coefficients(const std::vector<double>& scaled,
                                                       const GeneralisedLinear& model, const Schema& schema);
[[nodiscard]] std::vector<double> scaled_coefficients(const std::vector<double>& natural,
                                                      const GeneralisedLinear& model, const Schema& schema);

}  // namespace postern::model
