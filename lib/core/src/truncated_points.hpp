#pragma once

#include <cmath>
#include <vector>

#include "postern/core/truncated.hpp"

namespace postern {

/// A law on a segment as weighted points: offsets from a reference point, weights relative to its density or
/// probability there. With the reference at the highest point of the segment nothing overflows, all weights
/// count alike, and moments about the mean are sums of positive terms: no closed form's cancellation.
class WeightedPoints {
 public:
  struct Point {
    double offset;
    double weight;
  };

  void add(double offset, double weight) { points_.push_back({offset, weight}); }
  /// Gauss-Legendre points of [from, to]: `place` maps the variable of integration to an offset.
  template <class LogRatio, class Place>
  void add_panel(double from, double to, const LogRatio& log_ratio, const Place& place);

  [[nodiscard]] double mass() const;
  /// E f(offset)
  template <class Function>
  [[nodiscard]] double expect(const Function& f) const;
  /// `log_density` is that of the reference point.
  [[nodiscard]] SegmentMoments moments(double reference, double log_density) const;

 private:
  std::vector<Point> points_;
};

struct GaussNode {
  double place;  // on [-1, 1], and its mirror image
  double weight;
};

// 16 points: a panel over which the log density is smooth and falls by less than 10 is exact to rounding.
inline constexpr GaussNode kGaussNodes[] = {
    {0.9894009349916499, 0.027152459411754096}, {0.9445750230732326, 0.062253523938647894},
    {0.8656312023878318, 0.09515851168249279},  {0.755404408355003, 0.12462897125553388},
    {0.6178762444026438, 0.14959598881657674},  {0.45801677765722737, 0.16915651939500254},
    {0.2816035507792589, 0.18260341504492358},  {0.09501250983763744, 0.1894506104550685},
};

template <class LogRatio, class Place>
void WeightedPoints::add_panel(double from, double to, const LogRatio& log_ratio, const Place& place) {
  const double half = 0.5 * (to - from);
  const double middle = from + half;
  for (const auto& [node, weight] : kGaussNodes) {
    for (const double t : {middle - half * node, middle + half * node}) {
      add(place(t), half * weight * std::exp(log_ratio(t)));
    }
  }
}

template <class Function>
double WeightedPoints::expect(const Function& f) const {
  double sum = 0;
  for (const auto& [offset, weight] : points_) sum += weight * f(offset);
  return sum / mass();
}

/// Points at which a log-concave density has fallen by this much add nothing to its first four moments.
inline constexpr double kNegligible = -45;

/// The part of [0, end] that counts (end may be negative or infinite): end itself, or a point where
/// log_ratio, which falls from 0 on, is already negligible but not far below.
template <class LogRatio>
[[nodiscard]] double reach(const LogRatio& log_ratio, double end) {
  double near = 0;
  double far = std::copysign(1.0, end);
  while (std::abs(far) < std::abs(end) && log_ratio(far) > kNegligible) {
    near = far;
    far *= 2;
  }
  if (std::abs(far) > std::abs(end)) far = end;
  for (int step = 0; step < 100 && log_ratio(far) < kNegligible - 15; ++step) {
    const double middle = near + 0.5 * (far - near);
    (log_ratio(middle) > kNegligible ? near : far) = middle;
  }
  return far;
}

/// log x^shape e^-x / Gamma(shape): the density of log G for a gamma variable G of rate 1.
[[nodiscard]] double log_gamma_density_of_log(double shape, double x);

/// log of a mass of which a reference density gave `direct`, from its complement where that is the smaller:
/// a mass near 1 keeps its distance from 1.
[[nodiscard]] double log_mass_from(double complement, double direct);

[[nodiscard]] SegmentMoments no_mass(double place);

}  // namespace postern
