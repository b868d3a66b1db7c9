#pragma once

#include <vector>

#include "records.hpp"

namespace postern::honesty {

enum class Line { linear, logistic, poisson };

/// The line that fits the whole population best, without noise or prior: what a posterior should hold.
struct LineFit {
  std::vector<double> slopes;
  std::vector<double> errors;  ///< standard errors with so many records
  double sigma = 0;            ///< of a linear one
};
/// Least squares, or maximum likelihood by Newton's steps. `x` has one column for each feature.
[[nodiscard]] LineFit fit_line(Line line, const std::vector<std::vector<double>>& x,
                               const std::vector<double>& y);

/// Shares of the variance along the principal axes, the largest first.
[[nodiscard]] std::vector<double> shares_of(const std::vector<std::vector<double>>& columns);

}  // namespace postern::honesty
