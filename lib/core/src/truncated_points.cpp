#include "truncated_points.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "stirling.hpp"

namespace postern {

double WeightedPoints::mass() const {
  double sum = 0;
  for (const Point& point : points_) sum += point.weight;
  return sum;
}

SegmentMoments WeightedPoints::moments(double reference, double log_density) const {
  const double total = mass();
  double shift = 0;
  for (const auto& [offset, weight] : points_) shift += weight * offset;
  shift /= total;
  double spread = 0;
  for (const auto& [offset, weight] : points_) spread += weight * (offset - shift) * (offset - shift);
  return {std::min(0.0, log_density + std::log(total)), reference + shift, spread / total};
}

double log_gamma_density_of_log(double shape, double x) {
  if (shape < kStirlingFrom) return shape * std::log(x) - x - log_gamma(shape);
  return 0.5 * std::log(shape) - kHalfLogTwoPi - stirling_error(shape) - deviance(shape, x);
}

double log_mass_from(double complement, double direct) {
  return complement < 0.5 ? std::log1p(-complement) : direct;
}

SegmentMoments no_mass(double place) { return {kMinusInfinity, place, 0}; }

}  // namespace postern
