#pragma once

#include "postern/model/statistic.hpp"

namespace postern::model {

/// Sums of one column, and sums of products with the sums of the columns that they join: one record sets all
/// of them, so they are paid for together (measurement.md, products/cost.md).
[[nodiscard]] const CostRule& sums_rule();

/// "steps of 0.01"
[[nodiscard]] std::string steps_of(const Rational& step);
/// The grid of a column of real numbers, 1 of whole ones.
[[nodiscard]] Rational grid_of(const Column& column);

}  // namespace postern::model
