#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/kinds/linear_regression.hpp"

#include "kinds/regression.hpp"

namespace postern::model {
namespace {

/// Target and features of a regression, scaled.
struct Scales {
  std::vector<RegressionScale> features;
  RegressionScale target;
};

Scales scales_of(const LinearRegression& model, const Schema& schema) {
  return {feature_scales(model.features, model.target, schema), regression_scale(schema.at(model.target))};
}

}  // namespace

std::vector<MomentEntry> regression_entries(const LinearRegression& model, const Schema& schema) {
  if (!is_regression_number(schema.at(model.target))) {
    throw Error(ErrorCode::bad_value,
                {"the target '", from_study(model.target),
                 "' is a category, or a number with cuts; a linear regression is of a number: declare it by "
                 "`integer = [lo, hi]` or `real = [lo, hi]` and `grid`, or model the category by kind = "
                 "\"logistic-regression\" (two levels) or \"naive-bayes\""});
  }
  return moment_entries({model.features, model.target, model.steps}, schema);
}

RegressionScale regression_scale(const Column& column) {
  const auto of = [](const Rational& lo, const Rational& hi) {
    return RegressionScale{Rational((lo + hi) / 2).get_d(), Rational((hi - lo) / 2).get_d()};
  };
  if (const auto* whole = std::get_if<IntegerRange>(&column.values)) return of(whole->lo, whole->hi);
  if (const auto* real = std::get_if<RealRange>(&column.values)) return of(real->lo, real->hi);
  throw Error(ErrorCode::internal, {"only a column of numbers has a scale"});
}

std::vector<double> natural_parameters(const RegressionTheta& scaled, const LinearRegression& model,
                                       const Schema& schema) {
  const Scales scales = scales_of(model, schema);
  const double half = scales.target.half;
  std::vector<double> out{scales.target.centre + half * scaled.beta[0]};
  for (std::size_t i = 0; i < scales.features.size(); ++i) {
    const double slope = half * scaled.beta[i + 1] / scales.features[i].half;
    out.front() -= slope * scales.features[i].centre;
    out.push_back(slope);
  }
  out.push_back(half * scaled.sigma);
  return out;
}

RegressionTheta scaled_parameters(const std::vector<double>& natural, const LinearRegression& model,
                                  const Schema& schema) {
  const Scales scales = scales_of(model, schema);
  const double half = scales.target.half;
  RegressionTheta out;
  out.beta.push_back(natural[0] - scales.target.centre);
  for (std::size_t i = 0; i < scales.features.size(); ++i) {
    out.beta.front() += natural[i + 1] * scales.features[i].centre;
    out.beta.push_back(natural[i + 1] * scales.features[i].half / half);
  }
  out.beta.front() /= half;
  out.sigma = natural[scales.features.size() + 1] / half;
  return out;
}

}  // namespace postern::model
