#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/core/truncated.hpp"

#include "stirling.hpp"
#include "truncated_points.hpp"

namespace postern {
namespace {

/// With z = (x - mean)/deviation at the reference, phi(z + t)/phi(z) = exp(-t (z + t/2)).
WeightedPoints points_about(double z, double below, double above) {
  WeightedPoints points;
  const auto log_ratio = [z](double t) { return -t * (z + 0.5 * t); };
  const auto place = [](double t) { return t; };
  constexpr int kPanels = 8;
  for (const double end : {below, above}) {
    if (end == 0) continue;
    const double width = reach(log_ratio, end) / kPanels;
    for (int k = 0; k < kPanels; ++k) {
      const double first = k * width;
      const double last = (k + 1) * width;
      points.add_panel(std::min(first, last), std::max(first, last), log_ratio, place);
    }
  }
  return points;
}

}  // namespace

NormalSegmentMoments truncated_normal(double mean, double deviation, Segment segment) {
  const auto [from, to] = segment;
  if (from == to) return {kMinusInfinity, from, from * from, 0, 0, 0};
  const double reference = std::clamp(mean, from, to);
  const double z = (reference - mean) / deviation;
  const WeightedPoints points = points_about(z, (from - reference) / deviation, (to - reference) / deviation);
  const auto [log_direct, shift, spread] = points.moments(0, -0.5 * z * z - kHalfLogTwoPi);
  const double complement = normal_cdf((from - mean) / deviation) + normal_cdf((mean - to) / deviation);

  // With d = x - m and c = Var x: x^2 - E x^2 = d (2m + d) - c, so Cov(x, x^2) = E d^2 (2m + d).
  const double m = reference + deviation * shift;
  const double variance = deviation * deviation * spread;
  const auto about_mean = [&](double offset) { return deviation * (offset - shift); };
  const double covariance = points.expect([&](double offset) {
    const double d = about_mean(offset);
    return d * d * (2 * m + d);
  });
  const double square_variance = points.expect([&](double offset) {
    const double d = about_mean(offset);
    const double deviate = d * (2 * m + d) - variance;
    return deviate * deviate;
  });
  return {log_mass_from(complement, log_direct), m, m * m + variance, variance, covariance, square_variance};
}

}  // namespace postern
