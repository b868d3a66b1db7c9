#pragma once

#include <cstddef>

namespace postern::assess {

// How near to the best point a private choice comes (Zhang et al. 2016, Lemma 4, corrected). Public.

/// A choice with density proportional to base exp(epsilon u / (2 sensitivity)).
struct ExponentialChoice {
  double epsilon = 0;
  double sensitivity = 0;
};

/// P(u < best - 2 t) at most, if the base measure gives `mass` to {u > best - t}. At most 1.
[[nodiscard]] double choice_shortfall_bound(const ExponentialChoice& choice, double t, double mass);
/// As printed, without 1 / (2 sensitivity): no bound unless the sensitivity is at most 1/2. For comparison.
[[nodiscard]] double printed_shortfall_bound(double epsilon, double t, double mass);

/// A point with density proportional to exp(tempering u) on a convex set, u concave: tempering (best - u) is
/// stochastically below Gamma(dimension, 1), whatever u and the set are.
struct ConcaveChoice {
  double tempering = 0;       ///< draw_tempering
  std::size_t dimension = 0;  ///< free parameters
};
[[nodiscard]] double concave_gap_mean(const ConcaveChoice& choice);  ///< at least E[best - u]
[[nodiscard]] double concave_gap_quantile(const ConcaveChoice& choice,
                                          double delta);  ///< exceeded with P <= delta

// All fail with `usage` for a number outside its domain.

}  // namespace postern::assess
