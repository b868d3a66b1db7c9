#pragma once

#include <string>
#include <vector>

#include "postern/model/kinds/multivariate_normal.hpp"

namespace postern::model {

/// The planning law of columns whose prior is learned: means about the middle of the ranges, worth ten
/// records; Sigma about a diagonal under which the sd of a column is a sixth of its range.
inline constexpr long kPlannedWeight = 10;
inline constexpr long kPlannedDegrees = 11;  ///< above the number of columns
/// A diagonal entry of its scale, in squares of half ranges.
[[nodiscard]] Rational planned_scale();
/// Sets these numbers but the means. `half_squares`: squares of the columns' half ranges.
void plan_normal(MultivariateNormal& model, const std::vector<Rational>& half_squares);
/// Sets all numbers, of columns as they are declared.
void plan_normal(MultivariateNormal& model, const Schema& schema);

struct Ends {
  Rational lo = -1;
  Rational hi = 1;
};
/// Of a column of numbers; -1..1 of anything else, which is refused when the model is checked.
[[nodiscard]] Ends ends_of(const Schema& schema, const std::string& name);
/// Within what an entry of a scale may be.
[[nodiscard]] Rational within_reach(const Rational& entry);

}  // namespace postern::model
