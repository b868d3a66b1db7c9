#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/kinds/covariates.hpp"
#include "postern/model/model.hpp"
#include "postern/model/rounds.hpp"
#include "postern/model/statistic/gradient_sum.hpp"

namespace postern::model {

/// The odds of a column of two levels by other columns: logit P(second level) = intercept + sum slope *
/// feature. Measured are noisy gradients of its log likelihood in rounds, each at the coefficients to which
/// those before it lead (Williams and McSherry 2010, 4.1).
struct LogisticRegression {
  std::string target;
  std::vector<std::string> features;
  bool intercept = true;
  std::int64_t expected_records = 1000;  ///< public, as the owner expects n: sets the length of steps
  Rational step = 8;                     ///< the ascent moves by step / expected_records times the gradient
  std::vector<Rational> split;           ///< of the budget among rounds, in proportion: as many as rounds
  Covariates covariates;                 ///< what is assumed of the features' law
  Rational prior_sd = Rational(5, 2);    ///< of every coefficient of scaled columns, Normal(0, sd^2)
};
[[nodiscard]] const Kind& kind_of(const LogisticRegression& model);

inline constexpr std::size_t kMostGradientRounds = 100;

/// The gradient at these coefficients.
[[nodiscard]] GradientSum gradient_at(const LogisticRegression& model, std::vector<std::int64_t> theta);
/// Coefficients to which a published gradient leads, exactly.
[[nodiscard]] std::vector<std::int64_t> ascended(const LogisticRegression& model, const GradientSum& at,
                                                 std::span<const Int128> gradient);

/// Parameters as people read them, intercept first where there is one: log odds for a unit of each column.
[[nodiscard]] std::vector<double> natural_coefficients(const std::vector<double>& scaled,
                                                       const LogisticRegression& model, const Schema& schema);
[[nodiscard]] std::vector<double> scaled_coefficients(const std::vector<double>& natural,
                                                      const LogisticRegression& model, const Schema& schema);

/// What is assumed of the features' law.
[[nodiscard]] inline CovariateLaw covariate_law(const LogisticRegression& model, const Schema& schema) {
  return {model.covariates, model.features, schema};
}

}  // namespace postern::model
