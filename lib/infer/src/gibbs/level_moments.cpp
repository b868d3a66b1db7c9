#include "postern/infer/gibbs/level_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace postern::infer {
namespace {

constexpr double kNoTail = 1e-30;    ///< mass that no moment sees
constexpr double kFineness = 0.12;   ///< deviations that a run of levels may span
constexpr std::size_t kGrowth = 40;  ///< a run near an end of the law is at most a tenth of the way to it
constexpr double kFineUnits = 4096;  ///< units in a deviation from which rounding to them averages out
constexpr std::size_t kMargin = 4;   ///< levels at the ends that are never in a run

/// Weights for sum_{x = -2j}^{2j} f(x) at x = 0, +-j, +-2j, exact for polynomials of degree 5.
struct RunRule {
  double centre, middle, end;
  explicit RunRule(double j) {
    const double size = 4 * j + 1;
    const double square = size * (size * size - 1) / 12;
    const double fourth = size * (size * size - 1) * (3 * size * size - 7) / 240;
    const double j2 = j * j;
    end = (fourth - j2 * square) / (24 * j2 * j2);
    middle = (square - 8 * j2 * end) / (2 * j2);
    centre = size - 2 * (middle + end);
  }
};

}  // namespace

/// E (k - reference)^p, p = 1..4, summed by parts from a pivot level outwards: each edge adds the rise of the
/// power there times the mass beyond it, so that both tails keep their digits.
struct LevelMomentSum::Walk {
  const LevelMomentSum& sum;
  const model::Theta& theta;
  model::Tails first, last;  ///< at the ends of the column, mass that is mapped elsewhere only
  double reference = 0;
  std::array<double, 4> power{};
  double in_runs = 0;

  [[nodiscard]] double edge(std::size_t l) const { return sum.number_.edges[l]; }
  [[nodiscard]] double added(std::size_t l) const { return static_cast<double>(sum.number_.values.adds[l]); }
  /// k before it is rounded: t at the middle of a level, from the edges around it.
  [[nodiscard]] double smooth(std::size_t l) const {
    if (sum.even_) return added(l);
    const double t = (9 * (edge(l) + edge(l + 1)) - edge(l - 1) - edge(l + 2)) / 16;
    return (t - sum.number_.values.zero) / sum.number_.values.unit;
  }
  /// The mass inside the column above edge l (up) or below it.
  [[nodiscard]] double beyond(std::size_t l, bool up) const {
    const model::Tails here = sum.law_.tails(theta, edge(l));
    if (up) return last.above > 0.5 ? last.below - here.below : here.above - last.above;
    return first.below > 0.5 ? first.above - here.above : here.below - first.below;
  }
  void add(double from, double to, double mass) {
    double a = from - reference;
    double b = to - reference;
    const double a1 = a;
    const double b1 = b;
    for (double& p : power) {
      p += mass * (b - a);
      a *= a1;
      b *= b1;
    }
  }
  void add_point(double k, double mass) { add(reference, k, mass); }

  /// One edge, or a run of them, above the pivot or below it. Returns the mass beyond its near end.
  double add_run(const Run& run, bool up) {
    const auto step = [&](double below, double above, double mass) {
      add(up ? below : above, up ? above : below, mass);
    };
    if (run.quarter == 0) {
      const double mass = beyond(run.first, up);
      step(added(run.first - 1), added(run.first), mass);
      return mass;
    }
    const RunRule rule(static_cast<double>(run.quarter));
    const double weights[] = {rule.end, rule.middle, rule.centre, rule.middle, rule.end};
    double ends[2] = {0, 0};
    for (std::size_t i = 0; i < 5; ++i) {
      const std::size_t l = run.first + i * run.quarter;
      const double mass = beyond(l, up);
      if (i == 0) ends[0] = mass;
      if (i == 4) ends[1] = mass;
      step(smooth(l - 1), smooth(l), weights[i] * mass);
    }
    if (!sum.even_) {  // the ends of the run are rounded, as their neighbours expect
      step(added(run.first - 1), smooth(run.first - 1), ends[0]);
      step(smooth(run.last()), added(run.last()), ends[1]);
      in_runs += std::abs(ends[1] - ends[0]);
    }
    return up ? ends[0] : ends[1];
  }
};

LevelMomentSum::LevelMomentSum(const model::NumberLaw& law, const model::EncodedNumber& number)
    : law_(law),
      number_(number),
      levels_(number.levels()),
      ends_(law.space(0) != model::ParameterSpace::real) {
  const auto& adds = number.values.adds;
  for (std::size_t l = 1; l < levels_; ++l) even_ = even_ && adds[l] == adds[l - 1] + 1;
  const model::Theta somewhere{law.space(0) == model::ParameterSpace::unit ? 0.5 : 1, 1};
  const auto first = std::partition_point(number.edges.begin(), number.edges.end(), [&](double t) {
    return ends_ && law.tails(somewhere, t).below == 0;
  });
  start_ = static_cast<std::size_t>(first - number.edges.begin());
}

std::size_t LevelMomentSum::quarter_at(std::size_t first, double span) const {
  if (first < kMargin || first + kMargin >= levels_) return 0;
  std::size_t quarter = (levels_ - kMargin - first) / 4;
  if (!even_) quarter = std::min(quarter, first / kGrowth);
  if (ends_) quarter = std::min(quarter, first < start_ ? (start_ - first) / 6 : (first - start_) / kGrowth);
  const double step = number_.edges[first + 1] - number_.edges[first];
  const double fitting = span / (4 * step);
  return fitting < static_cast<double>(quarter) ? static_cast<std::size_t>(fitting) : quarter;
}

LevelMomentSum::Runs LevelMomentSum::runs(double deviation) const {
  const bool fine = even_ || deviation > kFineUnits * number_.values.unit;
  const double span = fine ? kFineness * deviation : 0;
  Runs out;
  for (std::size_t l = 1; l < levels_;) {
    out.push_back({l, quarter_at(l, span)});
    l = out.back().last() + 1;
  }
  return out;
}

LevelMoments LevelMomentSum::at(const model::Theta& theta) const {
  return at(theta, runs(std::sqrt(law_.moments(theta).variance)));
}

LevelMoments LevelMomentSum::at(const model::Theta& theta, const Runs& runs) const {
  const double mean = law_.moments(theta).mean;
  Walk walk{*this, theta, {0, 1}, {1, 0}};
  const bool map_below = number_.below != 0;
  const bool map_above = number_.above != static_cast<std::int64_t>(levels_) - 1;
  if (map_below) walk.first = law_.tails(theta, number_.edges[0]);
  if (map_above) walk.last = law_.tails(theta, number_.edges[levels_]);
  // The first run that begins above the mean, and the level below its first edge.
  const auto upper = static_cast<std::size_t>(
      std::partition_point(runs.begin(), runs.end(),
                           [&](const Run& run) { return number_.edges[run.first] <= mean; }) -
      runs.begin());
  const std::size_t pivot = upper < runs.size() ? runs[upper].first - 1 : levels_ - 1;
  const auto mapped = [&](std::int64_t level) { return walk.added(static_cast<std::size_t>(level)); };
  walk.reference = walk.added(pivot);
  if (walk.first.below > 0.5) walk.reference = mapped(number_.below);
  if (walk.last.above > 0.5) walk.reference = mapped(number_.above);

  const double inside = walk.first.below > 0.5  ? walk.first.above - walk.last.above
                        : walk.last.above > 0.5 ? walk.last.below - walk.first.below
                                                : 1 - walk.first.below - walk.last.above;
  walk.add_point(walk.added(pivot), std::max(inside, 0.0));
  if (map_below) walk.add_point(mapped(number_.below), walk.first.below);
  if (map_above) walk.add_point(mapped(number_.above), walk.last.above);
  for (std::size_t r = upper; r < runs.size() && walk.add_run(runs[r], true) > kNoTail; ++r) {
  }
  for (std::size_t r = upper; r > 0 && walk.add_run(runs[r - 1], false) > kNoTail; --r) {
  }

  const auto [e1, e2, e3, e4] = walk.power;
  LevelMoments out;
  out.mean = walk.reference + e1;
  out.variance = std::max(e2 - e1 * e1, 0.0) + walk.in_runs / 12;
  out.third = e3 - 3 * e1 * e2 + 2 * e1 * e1 * e1;
  out.fourth =
      std::max(e4 - 4 * e1 * e3 + 6 * e1 * e1 * e2 - 3 * e1 * e1 * e1 * e1, out.variance * out.variance);
  return out;
}

}  // namespace postern::infer
