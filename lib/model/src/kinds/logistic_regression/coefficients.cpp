#include <algorithm>

#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/kinds/logistic_regression.hpp"

namespace postern::model {
namespace {

/// The scale of every entry of features: that of its number, or an indicator's own.
std::vector<RegressionScale> scales_of(const LogisticRegression& model, const Schema& schema) {
  std::vector<RegressionScale> out;
  for (const MomentEntry& entry : feature_entries(model.features, model.target, schema)) {
    const Column& column = schema.at(model.features[entry.column]);
    out.push_back(entry.level == 0 ? regression_scale(column) : RegressionScale{});
  }
  return out;
}

/// Half away from zero.
Integer rounded(const Rational& value) {
  const Rational half(1, 2);
  return sgn(value) < 0 ? Integer(-floor(half - value)) : floor(value + half);
}

}  // namespace

GradientSum gradient_at(const LogisticRegression& model, std::vector<std::int64_t> theta) {
  return {model.features, model.target, model.intercept, std::move(theta)};
}

std::vector<std::int64_t> ascended(const LogisticRegression& model, const GradientSum& at,
                                   std::span<const Int128> gradient) {
  // In units of 2^-16: step / expected_records times the gradient, which is in steps of 1/1024.
  const Rational scale =
      model.step * Rational(1L << kThetaBits, kGradientSteps) / static_cast<long>(model.expected_records);
  std::vector<std::int64_t> out = at.theta;
  constexpr auto kMost = Int128{1} << 62;
  for (std::size_t j = 0; j < out.size(); ++j) {
    const auto noisy = static_cast<long>(std::clamp(gradient[j], -kMost, kMost));
    const Integer moved = out[j] + rounded(scale * Rational(noisy));
    out[j] = moved > kMostTheta ? kMostTheta : moved < -kMostTheta ? -kMostTheta : moved.get_si();
  }
  return out;
}

std::vector<double> natural_coefficients(const std::vector<double>& scaled, const LogisticRegression& model,
                                         const Schema& schema) {
  const std::vector<RegressionScale> scales = scales_of(model, schema);
  const std::size_t first = model.intercept ? 1 : 0;
  std::vector<double> out = scaled;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    out[first + i] /= scales[i].half;
    if (model.intercept) out[0] -= out[first + i] * scales[i].centre;
  }
  return out;
}

std::vector<double> scaled_coefficients(const std::vector<double>& natural, const LogisticRegression& model,
                                        const Schema& schema) {
  const std::vector<RegressionScale> scales = scales_of(model, schema);
  const std::size_t first = model.intercept ? 1 : 0;
  std::vector<double> out = natural;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (model.intercept) out[0] += natural[first + i] * scales[i].centre;
    out[first + i] *= scales[i].half;
  }
  return out;
}

}  // namespace postern::model
