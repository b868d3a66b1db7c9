#include "postern/core/truncated_draw.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern {
namespace {

/// Z given 0 < from < Z < from + width, as the distance from `from`. Exponential proposals of Robert's (1995)
/// rate; uniform ones on an interval too short for them.
double draw_tail_excess(double from, double width, Rng& rng) {
  if (width * from < 2 && width < 1) {
    while (true) {
      const double excess = rng.uniform() * width;
      if (-std::log(rng.uniform()) >= excess * (from + 0.5 * excess)) return excess;
    }
  }
  const double lead = 2 / (from + std::sqrt(from * from + 4));  // rate - from
  const double rate = from + lead;
  const double whole = std::isinf(width) ? 1 : -std::expm1(-rate * width);
  while (true) {
    const double excess = -std::log1p(-rng.uniform() * whole) / rate;
    const double miss = excess - lead;
    if (-2 * std::log(rng.uniform()) >= miss * miss) return excess;
  }
}

/// Z given from < Z < from + width for from <= 0 <= from + width, as the distance from `from`.
double draw_middle_excess(double from, double width, Rng& rng) {
  if (width > 2.5) {
    while (true) {
      const double excess = draw_normal(rng) - from;
      if (excess > 0 && excess < width) return excess;
    }
  }
  while (true) {
    const double excess = rng.uniform() * width;
    const double z = from + excess;
    if (-2 * std::log(rng.uniform()) >= z * z) return excess;
  }
}

}  // namespace

double draw_truncated_normal(double mean, double deviation, double lo, double hi, Rng& rng) {
  if (!(deviation > 0) || !(lo < hi)) return std::clamp(mean, lo, hi);
  if (hi < mean) return -draw_truncated_normal(-mean, deviation, -hi, -lo, rng);
  const double from = (lo - mean) / deviation;
  if (std::isinf(from) && from > 0) return lo;
  if (std::isinf(lo)) {
    while (true) {  // hi is not below the mean
      const double x = mean + deviation * draw_normal(rng);
      if (x < hi) return x;
    }
  }
  const double width = (hi - lo) / deviation;
  const double excess = from > 0 ? draw_tail_excess(from, width, rng) : draw_middle_excess(from, width, rng);
  return std::clamp(lo + deviation * excess, lo, hi);
}

}  // namespace postern
