#include "postern/infer/kinds/number/gibbs/level_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace postern::infer {
namespace {

constexpr double kNoTail = 1e-30;      ///< mass that no moment sees
constexpr double kFineness = 0.12;     ///< deviations that a run of levels may span
constexpr std::size_t kGrowth = 40;    ///< a run near an end of the law is at most a tenth of the way to it
constexpr double kFineUnits = 4096;    ///< units in a deviation from which rounding to them averages out
constexpr std::size_t kMargin = 4;     ///< levels at the ends that are never in a run
constexpr double kLeastMass = 1e-290;  ///< below, a mass has no digits left
constexpr double kDigits = 1e-4;       ///< of its terms, above which a difference of tails is trusted

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
  model::Tails first, last;  ///< at the ends of the column, mass that is mapped elsewhere or dropped only
  double scale = 1;          ///< 1 / P(kept)
  bool careful = false;      ///< differences of tails have no digits; then
  double log_kept = 0;       ///< masses are integrated
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
    return careful ? integrated(up ? l : 0, up ? sum.levels_ : l) : scale * between(l, up);
  }
  [[nodiscard]] double between(std::size_t l, bool up) const {
    const model::Tails here = sum.law_.tails(theta, edge(l));
    if (up) return last.above > 0.5 ? last.below - here.below : here.above - last.above;
    return first.below > 0.5 ? first.above - here.above : here.below - first.below;
  }
  /// Between two edges, of a kept record. For a law on whole numbers the second edge itself is beyond it.
  [[nodiscard]] double log_mass(std::size_t from, std::size_t to) const {
    return sum.law_.segment(theta, {edge(from), std::nextafter(edge(to), edge(0))}).log_mass;
  }
  [[nodiscard]] double integrated(std::size_t from, std::size_t to) const {
    return std::exp(log_mass(from, to) - log_kept);
  }
  /// Moments are to be those of kept records. False where there can be none.
  [[nodiscard]] bool condition() {
    const double outside = first.below + last.above;
    double kept = 1 - outside;
    double beside = 1;
    if (last.below < 0.5) {
      beside = last.below;
      kept = last.below - first.below;
    } else if (first.above < 0.5) {
      beside = first.above;
      kept = first.above - last.above;
    }
    careful = !(kept > kDigits * beside && kept > kLeastMass);
    scale = 1 / kept;
    if (careful) log_kept = log_mass(0, sum.levels_);
    return std::isfinite(log_kept);
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

  /// What is mapped to some level, and the pivot's share of what is not.
  void add_outside(std::size_t pivot) {
    const auto mapped = [&](std::int64_t level) { return added(static_cast<std::size_t>(level)); };
    if (first.below > 0.5) reference = mapped(sum.number_.below);
    if (last.above > 0.5) reference = mapped(sum.number_.above);
    const double inside = first.below > 0.5  ? first.above - last.above
                          : last.above > 0.5 ? last.below - first.below
                                             : 1 - first.below - last.above;
    add_point(added(pivot), std::max(inside, 0.0));
    add_point(mapped(sum.number_.below), first.below);
    add_point(mapped(sum.number_.above), last.above);
  }

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

double LevelMomentSum::deviation(const model::Theta& theta) const {
  const double all = law_.moments(theta).variance;
  if (!drops()) return std::sqrt(all);
  const double kept = law_.segment(theta, {number_.edges.front(), number_.edges.back()}).variance;
  return std::sqrt(std::min(all, kept));
}

LevelMoments LevelMomentSum::at(const model::Theta& theta) const { return at(theta, runs(deviation(theta))); }

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
  walk.reference = walk.added(pivot);
  if (!drops()) {
    walk.add_outside(pivot);
  } else if (!walk.condition()) {
    return {walk.reference, 0, 0, 0};
  }
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
