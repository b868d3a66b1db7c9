#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/core/truncated.hpp"

#include "truncated_count.hpp"

namespace postern {
namespace {

struct Poisson {
  double rate;

  [[nodiscard]] double log_probability(double x) const {
    return x == 0 ? -rate : log_gamma_density_of_log(x, rate) - std::log(x);
  }
  [[nodiscard]] double ratio(double x) const { return rate / (x + 1); }
};

}  // namespace

SegmentMoments truncated_poisson(double rate, Segment segment) {
  const double from = std::max(0.0, std::ceil(segment.from));
  const double to = std::floor(segment.to);
  if (to < from) return no_mass(from);
  const Poisson law{rate};
  SegmentMoments result = CountSegment(law, from, to, std::floor(rate)).moments();
  // A Poisson count is at least k when the k-th arrival, a gamma variable of shape k, is before `rate`.
  const double below = from > 0 ? gamma_tail(from, rate) : 0;
  const double above = std::isinf(to) ? 0 : gamma_cdf(to + 1, rate);
  result.log_mass = log_mass_from(below + above, result.log_mass);
  return result;
}

}  // namespace postern
