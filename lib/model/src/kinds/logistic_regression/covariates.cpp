#include "postern/model/kinds/covariates.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/model/kinds/linear_regression.hpp"

namespace postern::model {
namespace {

/// P(level <= l) of a normal number that is rounded to the nearest level and clamped to the range.
std::vector<double> normal_below(const ColumnLaw& law, const Column& column) {
  const RegressionScale scale = regression_scale(column);
  const double mean = law.numbers.at(0).get_d();
  const double sd = law.numbers.at(1).get_d();
  const std::uint32_t last = column.levels() - 1;
  std::vector<double> out;
  for (std::uint32_t level = 0; level < last; ++level) {
    const double edge = scale.centre + scale.half * ((2.0 * level + 1) / last - 1);
    out.push_back(normal_cdf((edge - mean) / sd));
  }
  out.push_back(1);
  return out;
}

/// Weights of equally wide parts; those of a category are its levels.
std::vector<double> weighted_below(const ColumnLaw& law, std::uint32_t levels) {
  std::vector<double> sums{0};
  for (const Rational& weight : law.numbers) sums.push_back(sums.back() + weight.get_d());
  std::vector<double> out;
  for (std::uint32_t level = 0; level < levels; ++level) {
    const double place = static_cast<double>(law.numbers.size()) * (level + 1.0) / levels;
    const auto part = std::min(static_cast<std::size_t>(place), law.numbers.size() - 1);
    const double within = place - static_cast<double>(part);
    out.push_back((sums[part] + within * (sums[part + 1] - sums[part])) / sums.back());
  }
  out.back() = 1;
  return out;
}

std::vector<double> below(const ColumnLaw& law, const Column& column) {
  switch (law.shape) {
    case ColumnLaw::Shape::normal:
      return normal_below(law, column);
    case ColumnLaw::Shape::weights:
      return weighted_below(law, column.levels());
    default:
      return {};
  }
}

}  // namespace

CovariateLaw::CovariateLaw(const Covariates& covariates, const std::vector<std::string>& features,
                           const Schema& schema)
    : features_(features.size()), below_(features.size()), rows_(covariates.rows) {
  for (std::size_t c = 0; c < features_; ++c) {
    const Column& column = schema.at(features[c]);
    levels_.push_back(column.levels());
    if (!covariates.laws.empty()) below_[c] = below(covariates.laws.at(c), column);
  }
}

std::uint32_t CovariateLaw::level(std::size_t feature, double u) const {
  const std::vector<double>& sums = below_[feature];
  const std::uint32_t last = levels_[feature] - 1;
  if (sums.empty()) return std::min(last, static_cast<std::uint32_t>(u * levels_[feature]));
  const auto at = std::upper_bound(sums.begin(), sums.end(), u) - sums.begin();
  return std::min(last, static_cast<std::uint32_t>(at));
}

void CovariateLaw::draw(std::span<std::uint32_t> levels, Rng& rng) const {
  if (rows() > 0) {
    const std::span<const std::uint32_t> one = row(draw_below(rows(), rng));
    std::copy(one.begin(), one.end(), levels.begin());
    return;
  }
  for (std::size_t c = 0; c < features_; ++c) {
    levels[c] =
        below_[c].empty() ? static_cast<std::uint32_t>(draw_below(levels_[c], rng)) : level(c, rng.uniform());
  }
}

}  // namespace postern::model
