#pragma once

#include "postern/core/rng.hpp"

namespace postern {

// Normal laws cut to an interval, without loss in the tails.

/// e^{x^2} erfc(x), to about 1e-14 relative. Infinite below about -26.6.
[[nodiscard]] double scaled_erfc(double x);
/// log P(Z < x) for a standard normal Z, exact to rounding far into the lower tail.
[[nodiscard]] double log_normal_cdf(double x);

/// Z given Z > from, as the distance from `from`: it keeps its digits where the tail is thin.
[[nodiscard]] double draw_normal_excess(double from, Rng& rng);
/// N(mean, deviation^2) given lo < x < hi. Either end may be infinite. A deviation of 0 gives the point of
/// the interval nearest to the mean. @pre lo <= hi
[[nodiscard]] double draw_truncated_normal(double mean, double deviation, double lo, double hi, Rng& rng);

}  // namespace postern
