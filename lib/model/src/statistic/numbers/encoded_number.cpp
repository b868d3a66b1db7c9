#include "postern/model/encoded_number.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/model/level_steps.hpp"

namespace postern::model {
namespace {

struct Range {
  Rational lo;
  Rational grid;
};

Range range_of(const Column& column) {
  if (const auto* whole = std::get_if<IntegerRange>(&column.values)) {
    if (whole->cuts.empty()) return {Rational(whole->lo), 1};
  }
  if (const auto* real = std::get_if<RealRange>(&column.values)) {
    if (real->cuts.empty()) return {real->lo, real->grid};
  }
  throw Error(ErrorCode::bad_value,
              {"a sum needs a column of numbers without cuts, and '", from_study(column.name), "' is none"});
}

/// The level whose number is nearest to zero.
std::uint32_t level_of_zero(const Range& range, std::uint32_t levels) {
  const Rational steps = -range.lo / range.grid;
  if (steps <= 0) return 0;
  if (steps >= levels - 1) return levels - 1;
  return static_cast<std::uint32_t>(Integer(steps.get_num() / steps.get_den()).get_ui());
}

/// The power of two that cuts a range into 2^20 to 2^21 steps.
double unit_of(double range) { return std::ldexp(1.0, std::ilogb(range) - 20); }

/// A transform that rises from a finite t(lo) to a finite t(hi), far enough to be cut into steps. Documents
/// name transforms too, so nothing here is left to the study's check.
bool suits(const Transform& transform, const Rational& lo, double span) {
  constexpr double kLeastSpan = 1e-280;
  const bool inside = transform.kind == Transform::Kind::log ? sgn(lo) > 0 : sgn(lo) >= 0;
  return inside && std::isfinite(span) && span >= kLeastSpan;
}

std::int64_t place_of(const Policy& policy, std::int64_t nearest) {
  if (std::holds_alternative<Clamp>(policy)) return nearest;
  if (const auto* map = std::get_if<MapTo>(&policy)) return map->level;
  return -1;
}

}  // namespace

LevelEnds level_ends(const Column& column) {
  const std::uint32_t levels = column.levels();
  const std::int64_t origin = level_of_zero(range_of(column), levels);
  return {-origin, std::int64_t{levels} - 1 - origin};
}

LevelValues level_values(const Column& column, const Transform& transform) {
  const Range range = range_of(column);
  const std::uint32_t levels = column.levels();
  const std::uint32_t origin = level_of_zero(range, levels);
  const auto number = [&](std::uint32_t level) { return Rational(range.lo + range.grid * level).get_d(); };
  LevelValues out;
  out.adds.resize(levels);
  if (transform.kind == Transform::Kind::identity) {
    out.zero = number(origin);
    out.unit = range.grid.get_d();
    for (std::uint32_t l = 0; l < levels; ++l) out.adds[l] = std::int64_t{l} - origin;
    return out;
  }
  out.zero = transform(number(origin));
  const double span = transform(number(levels - 1)) - transform(number(0));
  if (!suits(transform, range.lo, span)) {
    throw Error(ErrorCode::bad_value, {"the range of column '", from_study(column.name),
                                       "' does not suit the family: it takes a function of the numbers that "
                                       "is not finite there"});
  }
  out.unit = unit_of(span);
  // The sensitivity rests on numbers that do not fall (measurement.md); pow alone does not promise that.
  std::int64_t least = 0;
  for (std::uint32_t l = 0; l < levels; ++l) {
    const std::int64_t steps = std::llround((transform(number(l)) - out.zero) / out.unit);
    least = std::max(least, steps);
    out.adds[l] = least;
  }
  return out;
}

std::int64_t EncodedNumber::level_of(double t) const {
  if (t < edges.front()) return below;
  if (t >= edges.back()) return above;
  return std::upper_bound(edges.begin(), edges.end(), t) - edges.begin() - 1;
}

EncodedNumber encoded_number(const Column& column, const Transform& transform, Wholes wholes) {
  EncodedNumber out;
  out.values = level_values(column, transform);
  const LevelSteps steps(column);
  const std::uint32_t levels = steps.levels();
  out.edges.resize(levels + 1);
  const bool rounded = steps.whole_only() && wholes == Wholes::rounded;
  const Rational shift = rounded ? Rational(1, 2) : Rational(0);
  for (std::uint32_t l = 0; l < levels; ++l)
    out.edges[l] = transform(Rational(steps.begin(l) - shift).get_d());
  const Rational end = steps.whole_only() ? Rational(steps.top() + 1 - shift) : steps.top();
  out.edges[levels] = transform(end.get_d());
  out.below = place_of(column.outside, 0);
  out.above = place_of(column.outside, std::int64_t{levels} - 1);
  return out;
}

NumberLevels::NumberLevels(const Column& column)
    : last_(level_ends(column).most - level_ends(column).least),
      below_(place_of(column.outside, 0)),
      above_(place_of(column.outside, last_)) {
  const LevelSteps steps(column);
  const Rational shift = steps.whole_only() ? Rational(1, 2) : Rational(0);
  const Rational end = steps.whole_only() ? Rational(steps.top() + 1 - shift) : steps.top();
  first_ = Rational(steps.begin(0) - shift).get_d();
  second_ = last_ > 0 ? Rational(steps.begin(1) - shift).get_d() : end.get_d();
  stride_ = steps.stride().get_d();
  end_ = end.get_d();
}

std::int64_t NumberLevels::level_of(double t) const {
  if (t < first_) return below_;
  if (t >= end_) return above_;
  if (t < second_) return 0;
  std::int64_t level = 1 + static_cast<std::int64_t>((t - second_) / stride_);
  if (t < second_ + static_cast<double>(level - 1) * stride_) --level;  // the quotient was rounded up
  return std::min(last_, level);
}

double level_masses(const NumberLaw& law, const Theta& theta, const EncodedNumber& number,
                    std::vector<double>& masses) {
  const std::size_t levels = number.levels();
  masses.resize(levels);
  Tails here = law.tails(theta, number.edges[0]);
  const double under = here.below;
  for (std::size_t l = 0; l < levels; ++l) {
    const Tails next = law.tails(theta, number.edges[l + 1]);
    // Differences of the smaller tails: the larger ones have no digits left for a far cell.
    const double mass = next.below < 0.5 ? next.below - here.below : here.above - next.above;
    masses[l] = std::max(mass, 0.0);
    here = next;
  }
  double kept = 1;
  const auto place = [&](std::int64_t level, double mass) {
    if (level < 0) {
      kept -= mass;
    } else {
      masses[static_cast<std::size_t>(level)] += mass;
    }
  };
  place(number.below, under);
  place(number.above, here.above);
  if (kept < 1) {
    double sum = 0;
    for (const double mass : masses) sum += mass;
    kept = sum;
    if (kept > 0) {
      for (double& mass : masses) mass /= kept;
    }
  }
  return kept;
}

}  // namespace postern::model
