#pragma once

#include <vector>

#include "postern/model/number_family.hpp"

namespace postern::model {

/// From the least to the most that a scale is thought to be.
struct ScaleRange {
  double least = 0;
  double most = 0;
};

/// Sizes of numbers that are 0 or more: from a hundred-thousandth of a bound to ten times it. `power` is that
/// of the number that t is.
[[nodiscard]] ScaleRange sizes(double bound, double scale, double power = 1);

/// Gamma(1, 1/m) with m evenly spaced in log m: theta is log-uniform over the range, to .0007 of its density
/// (.014 where the range is so wide that 40 terms lie further apart) far from the upper end, a factor c below
/// which about 0.6/c is missing; below the lower end the density of log theta falls like theta.
[[nodiscard]] std::vector<PriorTerm> log_uniform_rates(ScaleRange theta);

/// Beta(a, b) with a = (1 + 1/m)/2, b = (1 + m)/2: the odds (1 - theta)/theta are log-uniform over the range,
/// to .03 of their density.
[[nodiscard]] std::vector<PriorTerm> log_uniform_odds(ScaleRange odds);

/// Beta(A/2, A/2) with A from .1 to 10^4: the learned prior of a table of two cells.
[[nodiscard]] std::vector<PriorTerm> learned_share(double scale);

/// Normal(m, v) with m evenly spaced: flat over the range to .02 of its density.
[[nodiscard]] std::vector<PriorTerm> flat_mean(StatisticRange range);

/// Normal-inverse-gamma, four means by ten scales, in units of half the range from its middle: the mean is
/// flat over the range to .12 of its density given any standard deviation between .001 and 3, and
/// sigma/sqrt(sigma2 + .08 scale) is uniform to .08. (Were sigma2/(sigma2 + .04) uniform, bounds that are
/// twenty times too wide would hide a standard deviation below the fifth percentile.)
[[nodiscard]] std::vector<PriorTerm> flat_mean_and_scale(double scale);

/// Standard deviation a fifth of the range, mean about its middle.
[[nodiscard]] Hyper planning_normal(std::span<const Rational> known, StatisticRange range);

}  // namespace postern::model
