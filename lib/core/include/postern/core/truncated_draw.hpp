#pragma once

#include "postern/core/rng.hpp"

namespace postern {

/// N(mean, deviation^2) given lo < x < hi, without loss in the tails. Either end may be infinite. A deviation
/// of 0 gives the point of the interval nearest to the mean. @pre lo <= hi
[[nodiscard]] double draw_truncated_normal(double mean, double deviation, double lo, double hi, Rng& rng);

}  // namespace postern
