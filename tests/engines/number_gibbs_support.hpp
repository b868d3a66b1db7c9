#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"
#include "postern/model/number_family.hpp"

namespace postern::infer {

inline NoisyValue laplace(double y, double b) { return {y, release::DiscreteLaplace(1 / b)}; }
inline NoisyValue gaussian(double y, double variance) { return {y, release::DiscreteGaussian(variance)}; }

/// A family over a column, with nothing seen of it.
inline NumberProblem number_problem(std::string_view name, const std::vector<Rational>& known,
                                    const model::Column& column, const model::Hyper& prior) {
  const model::NumberFamily& family = *model::find_number_family(name);
  NumberProblem problem;
  problem.law = family.law(known);
  problem.parameters = family.parameters.size();
  problem.whole = family.whole;
  problem.squares = family.squares;
  problem.prior = prior;
  problem.number = model::encoded_number(column, family.transform(known));
  return problem;
}

inline model::Column real_column(const Rational& lo, const Rational& hi, const Rational& grid,
                                 model::Policy outside = model::Clamp{}) {
  return {"x", model::RealRange{lo, hi, grid, {}}, model::MapTo{0}, outside, true};
}

struct MeanAndSd {
  double mean = 0;
  double sd = 0;
};
inline MeanAndSd mean_and_sd(const std::vector<double>& values) {
  MeanAndSd out;
  double count = 0;
  double square = 0;
  for (const double x : values) {
    const double d = x - out.mean;
    out.mean += d / ++count;
    square += d * (x - out.mean);
  }
  out.sd = std::sqrt(square / count);
  return out;
}

}  // namespace postern::infer
