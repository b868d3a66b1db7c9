#pragma once

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"

namespace postern::infer {

/// Where a slice sampler may look, and how wide its first interval is.
struct SliceRange {
  double lo = 0;
  double hi = 0;
  double width = 1;
};

/// One update of x that leaves the law with this log density invariant, by stepping out and shrinking (Neal
/// 2003). The density need not be continuous. The last evaluation is at the value returned unless x stays.
template <class LogDensity>
[[nodiscard]] double draw_slice(double x, double log_density_at_x, const SliceRange& range,
                                const LogDensity& log_density, Rng& rng) {
  constexpr int kStepsOut = 40;
  constexpr int kShrinks = 200;
  const double level = log_density_at_x - draw_exponential(rng);
  double left = x - range.width * rng.uniform();
  double right = left + range.width;
  int steps_left = static_cast<int>(draw_below(kStepsOut, rng));
  int steps_right = kStepsOut - 1 - steps_left;
  while (steps_left-- > 0 && left > range.lo && log_density(left) > level) left -= range.width;
  while (steps_right-- > 0 && right < range.hi && log_density(right) > level) right += range.width;
  left = std::max(left, range.lo);
  right = std::min(right, range.hi);
  for (int shrink = 0; shrink < kShrinks; ++shrink) {
    const double proposal = left + rng.uniform() * (right - left);
    if (log_density(proposal) > level) return proposal;
    (proposal < x ? left : right) = proposal;
  }
  return x;
}

}  // namespace postern::infer
