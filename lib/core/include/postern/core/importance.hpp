#pragma once

#include <span>
#include <vector>

namespace postern {

/// Weights that make draws from one density stand for another.
struct ImportanceWeights {
  std::vector<double> weight;  ///< they add up to 1
  /// The shape of the weights' upper tail. From 0.7 on a weighted mean of so many draws is not to be relied
  /// on.
  double pareto_k = 0;
};

/// Weights from log(other density / own density) of every draw, up to a constant; the largest ones are
/// replaced by quantiles of the generalised Pareto law that fits them (Vehtari et al. 2024). Infinite k for
/// fewer than 25 draws or a ratio that is no number.
[[nodiscard]] ImportanceWeights smoothed_weights(std::span<const double> log_ratios);

/// k of the generalised Pareto law of exceedances above 0, by the method of Zhang and Stephens 2009, drawn to
/// 1/2 as by ten more observations; and its scale. @pre at least five values, in increasing order, the
/// largest above 0
struct ParetoFit {
  double k = 0;
  double scale = 0;
};
[[nodiscard]] ParetoFit fit_pareto(std::span<const double> exceedances);

}  // namespace postern
