#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/core/truncated.hpp"

#include "truncated_count.hpp"

namespace postern {
namespace {

struct Binomial {
  double trials;
  double theta;

  /// Through the density of Beta(x + 1, trials - x + 1), which keeps its digits for many trials.
  [[nodiscard]] double log_probability(double x) const {
    return beta_log_density(x + 1, trials - x + 1, theta) - std::log(trials + 1);
  }
  [[nodiscard]] double ratio(double x) const { return (trials - x) / (x + 1) * (theta / (1 - theta)); }
};

}  // namespace

SegmentMoments truncated_binomial(double trials, double theta, Segment segment) {
  const double from = std::max(0.0, std::ceil(segment.from));
  const double to = std::min(trials, std::floor(segment.to));
  if (to < from) return no_mass(std::min(from, trials));
  const Binomial law{trials, theta};
  SegmentMoments result =
      CountSegment(law, from, to, std::min(trials, std::floor((trials + 1) * theta))).moments();
  const double below = from > 0 ? beta_cdf(trials - from + 1, from, 1 - theta) : 0;
  const double above = to < trials ? beta_cdf(to + 1, trials - to, theta) : 0;
  result.log_mass = log_mass_from(below + above, result.log_mass);
  return result;
}

}  // namespace postern
