#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/core/truncated.hpp"

#include "truncated_count.hpp"

namespace postern {
namespace {

struct NegativeBinomial {
  double r;
  double theta;

  /// theta^r (1 - theta)^x / (x B(r, x))
  [[nodiscard]] double log_probability(double x) const {
    if (x == 0) return r * std::log(theta);
    return beta_log_density(r, x, theta) + std::log(theta) + std::log1p(-theta) - std::log(x);
  }
  [[nodiscard]] double ratio(double x) const { return (x + r) / (x + 1) * (1 - theta); }
  [[nodiscard]] double peak() const { return r > 1 ? std::floor((r - 1) * (1 - theta) / theta) : 0; }
};

}  // namespace

SegmentMoments truncated_negative_binomial(double r, double theta, Segment segment) {
  const double from = std::max(0.0, std::ceil(segment.from));
  const double to = std::floor(segment.to);
  if (to < from) return no_mass(from);
  const NegativeBinomial law{r, theta};
  return CountSegment(law, from, to, law.peak()).moments();
}

}  // namespace postern
