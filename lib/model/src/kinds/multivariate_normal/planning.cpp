#include "kinds/multivariate_normal/planning.hpp"

#include <algorithm>
#include <variant>

namespace postern::model {

Ends ends_of(const Schema& schema, const std::string& name) {
  if (!schema.find(name)) return {};
  const Values& values = schema.at(name).values;
  if (const auto* whole = std::get_if<IntegerRange>(&values))
    return {Rational(static_cast<long>(whole->lo)), Rational(static_cast<long>(whole->hi))};
  if (const auto* real = std::get_if<RealRange>(&values)) return {real->lo, real->hi};
  return {};
}

Rational within_reach(const Rational& entry) {
  static const Rational least(1, 1'000'000);
  static const Rational most(1'000'000'000);
  return std::clamp(entry, least, most);
}

/// The mean of Sigma is scale / (degrees - d - 1): a tenth of the square of half a range.
Rational planned_scale() {
  static const Rational variance(1, 10);
  return (kPlannedDegrees - 1) * variance;
}

void plan_normal(MultivariateNormal& model, const std::vector<Rational>& half_squares) {
  const std::size_t d = half_squares.size();
  model.weight = kPlannedWeight;
  model.degrees = kPlannedDegrees + static_cast<long>(d);
  model.scale.assign(d * d, 0);
  for (std::size_t i = 0; i < d; ++i)
    model.scale[i * d + i] = within_reach(planned_scale() * half_squares[i]);
  model.loose = false;
}

void plan_normal(MultivariateNormal& model, const Schema& schema) {
  std::vector<Rational> squares;
  model.mean.clear();
  for (const std::string& name : model.columns) {
    const auto [lo, hi] = ends_of(schema, name);
    model.mean.emplace_back((lo + hi) / 2);
    squares.emplace_back((hi - lo) * (hi - lo) / 4);
  }
  plan_normal(model, squares);
}

}  // namespace postern::model
