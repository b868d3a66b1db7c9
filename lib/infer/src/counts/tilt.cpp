#include "tilt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace postern::infer {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The product law under one tilt, as a whole.
Cell::Moments sum_of(std::span<const Cell> cells, double tilt) {
  Cell::Moments sum;
  for (const Cell& cell : cells) {
    const Cell::Moments one = cell.moments(tilt);
    sum.log_mass += one.log_mass;
    sum.mean += one.mean;
    sum.variance += one.variance;
  }
  return sum;
}

/// Where the posterior of n is, by Chernoff's bound: the weight of a total n is at most e^B with
///   B = log h(n) + log mass(t) - t n,   n the mean total under t,
/// and not much less. One evaluation of the cells a point.
class TotalSearch {
 public:
  TotalSearch(std::span<const Cell> cells, const TotalWeight& total, double nats)
      : cells_(cells), total_(total), nats_(nats), most_(static_cast<double>(total.support().hi)) {}

  TiltPlan run() {
    const double top_tilt = solve_tilt(cells_, std::max(most_ - 0.25, 0.75 * most_));
    scan(top_tilt);
    const Point best = *std::max_element(points_.begin(), points_.end(), by_height);
    const Point low = low_end(best);
    const Point high = high_end(best, top_tilt);
    TiltPlan plan;
    plan.totals = {std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(low.n)) - 1),
                   std::min(total_.support().hi, static_cast<std::int64_t>(std::ceil(high.n)) + 1)};
    plan.height = best.height;
    const double least = std::max(low.tilt, std::min_element(points_.begin(), points_.end(), by_tilt)->tilt);
    level(plan, least, high.tilt);
    if (plan.excess > kMuchExcess) {
      plan.bounds = bounds(low, best, high);
    } else {
      plan.bounds = {{plan.tilt, -plan.excess}};
    }
    return plan;
  }

 private:
  struct Point {
    double tilt = 0;
    double n = 0;
    double log_mass = 0;
    double variance = 0;
    double height = -kInfinity;
  };
  static bool by_height(const Point& a, const Point& b) { return a.height < b.height; }
  static bool by_tilt(const Point& a, const Point& b) { return a.tilt < b.tilt; }

  Point evaluate(double tilt) {
    const Cell::Moments m = sum_of(cells_, tilt);
    Point p{tilt, std::floor(std::min(m.mean, most_)), m.log_mass, m.variance, 0};
    // A total is an integer; where the tilt is steep half a record would be hundreds of nats.
    const double next = std::min(p.n + 1, most_);
    if (m.mean > p.n && total_.log_ratio(next, p.n) > tilt * (next - p.n)) p.n = next;
    p.height = total_.log_at(p.n) + p.log_mass - tilt * p.n;
    points_.push_back(p);
    return p;
  }
  /// Positive where a larger total is more likely.
  [[nodiscard]] double uphill(const Point& p) const { return total_.slope(p.n) - p.tilt; }

  /// At a mode inside the support the tilt equals the slope of log h there, so all such tilts lie between the
  /// slopes at 0 and at most. Geometric steps down from the top, since the slope goes like -alpha0 / n.
  void scan(double top_tilt) {
    const double at_zero = total_.slope(0);
    const double at_most = total_.slope(most_);
    const double top = std::min(std::max(at_zero, at_most), top_tilt);
    const double depth = std::max(top - std::min(at_zero, at_most), 0.0) + 2;
    Point upper = evaluate(top);
    for (double below = std::max(1e-9, 0.25 / (most_ + 1)); below < 2 * depth; below *= 2) {
      const Point lower = evaluate(top - below);
      if (uphill(lower) > 0 && uphill(upper) <= 0) climb(lower, upper);
      upper = lower;
    }
  }
  void climb(Point lower, Point upper) {
    for (int i = 0; i < 60; ++i) {
      const Point middle = evaluate(0.5 * (lower.tilt + upper.tilt));
      (uphill(middle) > 0 ? lower : upper) = middle;
      if (upper.n - lower.n <= 0.1 * std::sqrt(middle.variance) + 0.1) return;
    }
  }

  [[nodiscard]] bool matters(const Point& p, const Point& best) const {
    return p.height >= best.height - nats_;
  }
  /// Between a point that matters and one outwards that does not, an outer one that is not far out.
  Point outer(Point inside, Point outside, const Point& best) {
    for (int i = 0; i < 60; ++i) {
      if (outside.height >= best.height - 1.25 * nats_ || std::abs(outside.n - inside.n) <= 1) break;
      const Point middle = evaluate(0.5 * (inside.tilt + outside.tilt));
      (matters(middle, best) ? inside : outside) = middle;
    }
    return outside;
  }
  Point low_end(const Point& best) {
    double none = total_.log_at(0);
    for (const Cell& cell : cells_) none += cell.log_weight(0);
    const Point zero{-kInfinity, 0, 0, 0, none};
    if (matters(zero, best)) return zero;
    Point inside = best;
    for (const Point& p : points_) {
      if (p.tilt < inside.tilt && matters(p, best)) inside = p;
    }
    for (double step = 1 / (1 + std::sqrt(inside.variance));; step *= 2) {
      const Point p = evaluate(inside.tilt - step);
      if (!matters(p, best)) return outer(inside, p, best);
      if (p.n < 1e-3) return zero;
      inside = p;
    }
  }
  Point high_end(const Point& best, double top_tilt) {
    const Point all = evaluate(std::max(top_tilt, best.tilt));
    Point inside = best;
    for (const Point& p : points_) {
      if (p.tilt > inside.tilt && matters(p, best)) inside = p;
    }
    if (inside.tilt >= all.tilt || matters(all, best))
      return {all.tilt, most_, all.log_mass, all.variance, all.height};
    return outer(inside, all, best);
  }

  /// Of all tilts that fit a total, the one under which h(n) e^{-tilt n} is most level over the totals that
  /// matter: then the messages, which are the posterior divided by it, need the least range.
  void level(TiltPlan& plan, double least, double most) const {
    const auto lo = static_cast<double>(plan.totals.lo);
    const auto hi = static_cast<double>(plan.totals.hi);
    const double chord = hi > lo ? total_.log_ratio(hi, lo) / (hi - lo) : least;
    plan.tilt = std::clamp(chord, least, most);
    constexpr int kGrid = 64;  // log h is smooth, so its largest value is found well enough
    double largest = -kInfinity;
    for (int i = 0; i <= kGrid; ++i) {
      const double n = std::round(lo + (hi - lo) * static_cast<double>(i) / kGrid);
      const double value = total_.log_at(n) - plan.tilt * n;
      if (value <= largest) continue;
      largest = value;
      plan.anchor = static_cast<std::int64_t>(n);
    }
    plan.excess = std::max(0.0, largest + sum_of(cells_, plan.tilt).log_mass - plan.height);
  }

  /// Sorts the points by tilt and adds more between the ends until neighbours differ by at most `step` nats.
  void refine(const Point& low, const Point& high, double step) {
    std::sort(points_.begin(), points_.end(), by_tilt);
    for (int budget = 64; budget > 0; --budget) {
      const auto gap =
          std::adjacent_find(points_.begin(), points_.end(), [&](const Point& a, const Point& b) {
            return a.tilt >= low.tilt && b.tilt <= high.tilt && std::abs(a.height - b.height) > step &&
                   std::abs(a.n - b.n) > 1;
          });
      if (gap == points_.end()) return;
      evaluate(0.5 * (gap->tilt + std::next(gap)->tilt));
      std::inplace_merge(points_.begin(), points_.end() - 1, points_.end(), by_tilt);
    }
  }

  /// A few of the points between the ends, their drops lowered to those of their neighbours, so that they
  /// also bound the totals in between.
  std::vector<TailBound> bounds(const Point& low, const Point& best, const Point& high) {
    constexpr double kStep = 3;
    refine(low, high, 2 * kStep);
    std::vector<TailBound> out;
    for (const Point& p : points_) {
      if (p.tilt < low.tilt || p.tilt > high.tilt) continue;
      const TailBound here{p.tilt, std::max(0.0, best.height - p.height)};
      const bool needed = out.empty() || p.tilt == best.tilt || p.tilt >= high.tilt ||
                          std::abs(here.drop - out.back().drop) >= kStep;
      if (needed) out.push_back(here);
    }
    std::vector<TailBound> safe = out;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i > 0) safe[i].drop = std::min(safe[i].drop, out[i - 1].drop);
      if (i + 1 < out.size()) safe[i].drop = std::min(safe[i].drop, out[i + 1].drop);
      safe[i].drop = std::max(0.0, safe[i].drop - kStep);
    }
    return safe;
  }

  std::span<const Cell> cells_;
  const TotalWeight& total_;
  double nats_;
  double most_;
  std::vector<Point> points_;
};

}  // namespace

double solve_tilt(std::span<const Cell> cells, double target) {
  double low = -kInfinity;
  double high = kInfinity;
  double tilt = 0;
  double stride = 1;
  for (int i = 0; i < 300; ++i) {
    const Cell::Moments now = sum_of(cells, tilt);
    const double miss = target - now.mean;
    if (std::abs(miss) <= 0.05 * std::sqrt(now.variance) + 1e-3) break;
    (miss > 0 ? low : high) = tilt;
    if (high - low <= 1e-15 * std::abs(tilt)) break;
    const double newton = tilt + miss / now.variance;
    const bool bracketed = std::isfinite(low) && std::isfinite(high);
    if (newton > low && newton < high && std::abs(newton - tilt) < stride && i % 4 != 3) {
      tilt = newton;
    } else if (bracketed) {
      tilt = 0.5 * (low + high);
    } else {
      tilt += miss > 0 ? stride : -stride;
      stride *= 2;
    }
  }
  return tilt;
}

TiltPlan plan_tilts(std::span<const Cell> cells, const TotalWeight& total, double nats) {
  if (!total.known()) return TotalSearch(cells, total, nats).run();
  TiltPlan plan;
  plan.totals = total.support();
  plan.anchor = total.support().lo;
  // One cell is its total, and no records leave nothing to balance.
  const auto n = static_cast<double>(plan.anchor);
  if (cells.size() > 1 && plan.anchor > 0) plan.tilt = solve_tilt(cells, n);
  plan.bounds = {{plan.tilt, 0}};
  plan.height = total.log_at(n) + sum_of(cells, plan.tilt).log_mass - plan.tilt * n;
  return plan;
}

}  // namespace postern::infer
