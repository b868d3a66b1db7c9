#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"
#include "postern/model/number_family.hpp"

namespace postern::infer {

/// A column of numbers and the family that its records follow.
struct NumberShape {
  std::string_view family;
  std::vector<Rational> known;
  model::Values values;
  model::Hyper prior;
  model::Policy outside = model::Clamp{};
};

/// Without noisy values and total.
inline NumberProblem number_problem(const NumberShape& shape) {
  const model::NumberFamily& family = *model::find_number_family(shape.family);
  model::Column column;
  column.name = "x";
  column.values = shape.values;
  column.outside = shape.outside;
  NumberProblem problem;
  problem.law = family.law(shape.known);
  problem.parameters = family.parameters.size();
  problem.whole = family.whole;
  problem.squares = family.squares;
  problem.prior = shape.prior;
  problem.number = model::encoded_number(column, family.transform(shape.known));
  return problem;
}

}  // namespace postern::infer
