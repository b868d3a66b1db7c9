#include "profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

using Point = Profile::Point;

double slope(const Point& a, const Point& b) { return (b.value - a.value) / (b.total - a.total); }

}  // namespace

Profile::Profile(std::vector<Point> points) : points_(std::move(points)) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].value == kMinusInfinity) continue;
    while (hull_.size() > 1) {
      const Point& a = points_[hull_[hull_.size() - 2]];
      const Point& b = points_[hull_.back()];
      if (slope(a, b) > slope(b, points_[i])) break;
      hull_.pop_back();
    }
    hull_.push_back(i);
  }
  if (hull_.empty()) hull_.push_back(0);
}

const Profile::Point& Profile::peak(double tilt) const {
  // Corners rise, tilted, as long as the next edge is steeper than -tilt.
  std::size_t lo = 0;
  std::size_t hi = hull_.size() - 1;
  while (lo < hi) {
    const std::size_t middle = (lo + hi) / 2;
    if (slope(points_[hull_[middle]], points_[hull_[middle + 1]]) + tilt > 0) {
      lo = middle + 1;
    } else {
      hi = middle;
    }
  }
  return points_[hull_[lo]];
}

Window Profile::window(double tilt, double depth) const {
  const Point& top = peak(tilt);
  const auto inside = [&](const Point& p) {
    return p.value - top.value + tilt * (p.total - top.total) >= -depth;
  };
  auto first = std::find_if(points_.begin(), points_.end(), inside);
  auto last = std::find_if(points_.rbegin(), points_.rend(), inside).base();
  if (first != points_.begin()) --first;
  if (last == points_.end()) --last;
  return {static_cast<std::int64_t>(first->total), static_cast<std::int64_t>(last->total)};
}

Window Profile::window(const TotalsPlan& totals, double depth) const {
  constexpr double kLeastDepth = 10;
  Window all{std::numeric_limits<std::int64_t>::max(), 0};
  for (const TotalsPlan::Stop& stop : totals.stops) {
    const double left = depth - (totals.best.height - stop.height);
    const Window one = window(stop.tilt, std::max(left, kLeastDepth));
    all = {std::min(all.lo, one.lo), std::max(all.hi, one.hi)};
  }
  return all;
}

namespace {

class TotalsSearch {
 public:
  TotalsSearch(const std::vector<Profile>& classes, const TotalWeight& total)
      : classes_(classes), total_(total) {}

  /// The tilt under which the peaks of the classes add up to n.
  [[nodiscard]] TotalsPlan::Stop stop_at(double n) const {
    double low = -1;
    double high = 1;
    while (sum_of_peaks(low) > n && low > -1e15) low *= 2;
    while (sum_of_peaks(high) < n && high < 1e15) high *= 2;
    for (int i = 0; i < 100 && high - low > 1e-12 * (std::abs(low) + std::abs(high)) + 1e-15; ++i) {
      const double middle = 0.5 * (low + high);
      (sum_of_peaks(middle) < n ? low : high) = middle;
    }
    const double tilt = 0.5 * (low + high);
    return {tilt, n, height(tilt, n)};
  }

  [[nodiscard]] double height(double tilt, double n) const {
    double sum = 0;
    double left = n;
    for (const Profile& one : classes_) {
      const Point& top = one.peak(tilt);
      sum += top.value;
      left -= top.total;
    }
    return sum - tilt * left + total_.log_at(n);
  }

  TotalsPlan latent(double depth) {
    const auto most = static_cast<double>(total_.support().hi);
    constexpr int kGrid = 48;
    for (int j = 0; j <= kGrid; ++j) {
      const double x = static_cast<double>(j) / kGrid;
      add(std::round(x * x * most));
    }
    add(std::min(most, std::round(sum_of_peaks(0))));
    climb();
    TotalsPlan plan;
    plan.best = best();
    const auto matters = [&](const TotalsPlan::Stop& s) { return s.height >= plan.best.height - depth; };
    auto first = std::find_if(stops_.begin(), stops_.end(), matters);
    auto last = std::find_if(stops_.rbegin(), stops_.rend(), matters).base() - 1;
    const TotalsPlan::Stop low = first == stops_.begin() ? *first : edge(*first, *(first - 1), matters);
    const TotalsPlan::Stop high = last + 1 == stops_.end() ? *last : edge(*last, *(last + 1), matters);
    plan.stops.assign(first, last + 1);
    plan.stops.insert(plan.stops.begin(), low);
    plan.stops.push_back(high);
    plan.totals = {static_cast<std::int64_t>(low.total), static_cast<std::int64_t>(high.total)};
    level(plan);
    return plan;
  }

 private:
  [[nodiscard]] double sum_of_peaks(double tilt) const {
    double sum = 0;
    for (const Profile& one : classes_) sum += one.peak(tilt).total;
    return sum;
  }
  void add(double n) {
    const TotalsPlan::Stop stop = stop_at(n);
    const auto at = std::lower_bound(stops_.begin(), stops_.end(), n,
                                     [](const TotalsPlan::Stop& s, double x) { return s.total < x; });
    if (at == stops_.end() || at->total != n) stops_.insert(at, stop);
  }
  [[nodiscard]] const TotalsPlan::Stop& best() const {
    return *std::max_element(
        stops_.begin(), stops_.end(),
        [](const TotalsPlan::Stop& a, const TotalsPlan::Stop& b) { return a.height < b.height; });
  }
  /// Halves the gaps beside the best until they are single records, or nothing is gained.
  void climb() {
    for (int i = 0; i < 60; ++i) {
      const auto top = stops_.begin() + (&best() - stops_.data());
      const double before = top == stops_.begin() ? top->total : (top - 1)->total;
      const double after = top + 1 == stops_.end() ? top->total : (top + 1)->total;
      const double here = top->total;
      if (here - before <= 1 && after - here <= 1) return;
      add(std::floor(0.5 * (before + here)));
      add(std::ceil(0.5 * (after + here)));
    }
  }
  /// The first total from inside to outside that no longer matters.
  template <class Matters>
  TotalsPlan::Stop edge(TotalsPlan::Stop inside, TotalsPlan::Stop outside, const Matters& matters) const {
    while (std::abs(outside.total - inside.total) > 1) {
      const TotalsPlan::Stop middle = stop_at(std::floor(0.5 * (inside.total + outside.total)));
      (matters(middle) ? inside : outside) = middle;
    }
    return outside;
  }
  /// Of the tilts that fit a total, the one under which h(n) e^{-tilt n} is most level.
  void level(TotalsPlan& plan) const {
    const TotalsPlan::Stop& low = plan.stops.front();
    const TotalsPlan::Stop& high = plan.stops.back();
    const double chord = high.total > low.total
                             ? total_.log_ratio(high.total, low.total) / (high.total - low.total)
                             : plan.best.tilt;
    plan.tilt = std::clamp(chord, std::min(low.tilt, high.tilt), std::max(low.tilt, high.tilt));
    for (const TotalsPlan::Stop& stop : plan.stops)
      plan.excess = std::max(plan.excess, height(plan.tilt, stop.total) - plan.best.height);
  }

  const std::vector<Profile>& classes_;
  const TotalWeight& total_;
  std::vector<TotalsPlan::Stop> stops_;  ///< by total
};

}  // namespace

TotalsPlan plan_totals(const std::vector<Profile>& classes, const TotalWeight& total, double depth) {
  TotalsSearch search(classes, total);
  if (!total.known()) return search.latent(depth);
  TotalsPlan plan;
  plan.totals = total.support();
  plan.best = search.stop_at(static_cast<double>(plan.totals.lo));
  plan.stops = {plan.best};
  plan.tilt = plan.best.tilt;
  return plan;
}

}  // namespace postern::infer
