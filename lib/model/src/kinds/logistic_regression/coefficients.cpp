#include <algorithm>

#include "postern/model/kinds/logistic_regression.hpp"

#include "kinds/regression.hpp"

namespace postern::model {
namespace {

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
  return in_own_units(scaled, model.intercept, feature_scales(model.features, model.target, schema));
}

std::vector<double> scaled_coefficients(const std::vector<double>& natural, const LogisticRegression& model,
                                        const Schema& schema) {
  return in_scaled_units(natural, model.intercept, feature_scales(model.features, model.target, schema));
}

}  // namespace postern::model
