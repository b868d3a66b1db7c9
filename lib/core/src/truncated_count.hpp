#pragma once

#include <algorithm>
#include <cmath>

#include "truncated_points.hpp"

namespace postern {

/// Moments of a law on 0, 1, ... with one peak, on an integer segment. `Law` has log_probability(x) for real
/// x >= 0 and ratio(x) = P(x + 1)/P(x).
///
/// Up to kDirect terms are summed one by one. A longer stretch has a slowly changing probability and is
/// summed by the Euler-Maclaurin formula in central differences,
///   sum_{k=a}^{b} f(k) = int_{a-1/2}^{b+1/2} f - [D f]/24 + 17 [D^3 f]/5760 - ...,
/// [.] the difference of the ends, D f(x) = f(x + 1/2) - f(x - 1/2). A stretch of more than kDirect terms
/// that all count has a length scale above kDirect/45, so what is left out is of the order of
/// (45/kDirect)^6/2600. Near 0 the probability may change fast, so the first terms stay a sum.
template <class Law>
class CountSegment {
 public:
  static constexpr double kDirect = 4096;

  CountSegment(const Law& law, double from, double to, double peak)
      : law_(law), reference_(std::clamp(peak, from, to)), log_peak_(law.log_probability(reference_)) {
    from_ = reference_ + (from == reference_ ? 0 : std::floor(reach_to(from)));
    to_ = reference_ + (to == reference_ ? 0 : std::ceil(reach_to(to)));
    if (to_ - from_ < kDirect) {
      add_terms(from_, to_);
      return;
    }
    const double smooth_from = std::max(from_, kDirect);
    if (from_ < smooth_from) add_terms(from_, smooth_from - 1);
    add_smooth(smooth_from, to_);
  }

  [[nodiscard]] SegmentMoments moments() const { return points_.moments(reference_, log_peak_); }

 private:
  [[nodiscard]] double log_ratio(double x) const { return law_.log_probability(x) - log_peak_; }

  /// A law that is not log-concave may have most of its variance where it has little mass: weigh by t^2.
  [[nodiscard]] double reach_to(double end) const {
    return reach([this](double t) { return log_ratio(reference_ + t) + 2 * std::log1p(std::abs(t)); },
                 end - reference_);
  }

  void add_terms(double first, double last) {
    const double start = std::clamp(reference_, first, last);
    const double at_start = start == reference_ ? 1 : std::exp(log_ratio(start));
    double weight = at_start;
    for (double x = start; x <= last; ++x) {
      points_.add(x - reference_, weight);
      weight *= law_.ratio(x);
    }
    weight = at_start;
    for (double x = start - 1; x >= first; --x) {
      weight /= law_.ratio(x);
      points_.add(x - reference_, weight);
    }
  }

  void add_smooth(double first, double last) {
    const double middle = std::clamp(reference_, first - 0.5, last + 0.5);
    add_panels(first - 0.5, middle);
    add_panels(middle, last + 0.5);
    add_end(first - 0.5, -1);
    add_end(last + 0.5, 1);
  }

  /// Panels no wider than an eighth of the stretch, nor than their distance from 0.
  void add_panels(double first, double last) {
    const auto ratio = [this](double x) { return log_ratio(x); };
    const auto place = [this](double x) { return x - reference_; };
    const double widest = (last - first) / 8;
    for (double x = first; x < last;) {
      double next = x + std::min(widest, x);
      if (next > last - 0.01 * widest) next = last;
      points_.add_panel(x, next, ratio, place);
      x = next;
    }
  }

  void add_end(double end, double sign) {
    constexpr double kFirst = -1.0 / 24;
    constexpr double kThird = 17.0 / 5760;
    const auto add = [&](double x, double factor) {
      points_.add(x - reference_, sign * factor * std::exp(log_ratio(x)));
    };
    add(end + 1.5, kThird);
    add(end + 0.5, kFirst - 3 * kThird);
    add(end - 0.5, 3 * kThird - kFirst);
    add(end - 1.5, -kThird);
  }

  const Law& law_;
  double reference_;
  double log_peak_;
  double from_;
  double to_;
  WeightedPoints points_;
};

}  // namespace postern
