#pragma once

#include "postern/model/number_law.hpp"

#include "exact/number_density.hpp"
#include "exact/number_likelihood.hpp"
#include "exact/number_tilt.hpp"

namespace postern::infer {

/// theta on the whole line: itself, its logarithm or its log odds.
class ThetaLine {
 public:
  explicit ThetaLine(model::ParameterSpace space) : space_(space) {}

  [[nodiscard]] double theta(double z) const;
  [[nodiscard]] double place(double theta) const;
  [[nodiscard]] double log_jacobian(double z) const;  ///< log d theta / dz
  // Past these ends theta does not change as a double.
  [[nodiscard]] double lowest() const;
  [[nodiscard]] double highest() const;

 private:
  model::ParameterSpace space_;
};

/// log prior density of z.
[[nodiscard]] double log_prior_at(const NumberProblem& problem, const ThetaLine& line, double z);

/// Panels to begin with: the range of the prior, and the places where the mean of the sum is what a sight
/// says, each with the width over which sampling smears it. `n`: the number of records, or a guess.
[[nodiscard]] Line starting_line(const NumberProblem& problem, const ThetaLine& line,
                                 const SumLikelihood& likelihood, double n);

}  // namespace postern::infer
