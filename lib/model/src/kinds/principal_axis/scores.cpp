#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/model/kinds/choice.hpp"
#include "postern/model/kinds/principal_axis.hpp"
#include "postern/model/statistic/grid_split.hpp"

#include "kinds/checks.hpp"

// A record x scores candidate z by its log density under Normal(0, z z' + s^2 I), which is
//   -log(1 + |z|^2 / s^2) / 2 + (z.x)^2 / (2 s^2 (s^2 + |z|^2))
// but for what is the same for all candidates; times the power, less the middle between the best and the
// worst candidate for that x, clamped to -1..1, in units of 2^-20. All in whole numbers, so that whoever
// verifies a release computes the same table.

namespace postern::model {
namespace {

constexpr unsigned kLogBits = 40;      // of values before they are rounded to 2^-20
constexpr unsigned kFactorBits = 160;  // of what (z.x)^2 is multiplied by
constexpr std::int64_t kUnit = std::int64_t{1} << kScoreBits;

/// Numbers as whole multiples of 1 / unit.
struct Multiples {
  std::vector<Integer> of;
  Integer unit = 1;
};

Multiples multiples(const std::vector<Rational>& numbers) {
  Multiples out;
  for (const Rational& one : numbers)
    mpz_lcm(out.unit.get_mpz_t(), out.unit.get_mpz_t(), one.get_den().get_mpz_t());
  for (const Rational& one : numbers) out.of.emplace_back(one.get_num() * (out.unit / one.get_den()));
  return out;
}

/// The numbers that a column's levels stand for.
std::vector<Rational> level_numbers(const Column& column) {
  std::vector<Rational> out;
  const auto* whole = std::get_if<IntegerRange>(&column.values);
  const auto* real = std::get_if<RealRange>(&column.values);
  for (std::uint32_t level = 0; level < column.levels(); ++level)
    out.push_back(whole != nullptr ? Rational(Rational(static_cast<long>(whole->lo)) + level)
                                   : Rational(real->lo + real->grid * level));
  return out;
}

/// A candidate's value at x, in units of 2^-40: factor (z.x)^2 - base.
struct Candidate {
  Integer x, y;  ///< multiples of 1 / unit of the candidates
  Integer factor;
  Integer base;
};

std::vector<Candidate> prepared(const PrincipalAxis& model, const Integer& unit_of_records) {
  std::vector<Rational> flat;
  for (const auto& z : axis_candidates(model)) flat.insert(flat.end(), z.begin(), z.end());
  const Multiples points = multiples(flat);
  const Rational s2 = model.sigma * model.sigma;
  const Rational unit = Rational(points.unit * unit_of_records);
  std::vector<Candidate> out;
  for (std::size_t z = 0; z < flat.size(); z += 2) {
    const Rational length2 = flat[z] * flat[z] + flat[z + 1] * flat[z + 1];
    Rational factor = 1 / (2 * s2 * (s2 + length2) * unit * unit);
    mpq_mul_2exp(factor.get_mpq_t(), factor.get_mpq_t(), kFactorBits);
    Integer base = floor_log(1 + length2 / s2, kLogBits);
    base /= 2;
    out.push_back({points.of[z], points.of[z + 1], floor(factor), std::move(base)});
  }
  return out;
}

std::int64_t rounded_score(const Integer& twice_off_centre, const Rational& power) {
  // In units of 2^-41, to the nearest of 2^-20.
  const Integer divisor = power.get_den() << (kLogBits + 1 - kScoreBits);
  const Integer half = divisor / 2;
  Integer out;
  const Integer sum = twice_off_centre * power.get_num() + half;
  mpz_fdiv_q(out.get_mpz_t(), sum.get_mpz_t(), divisor.get_mpz_t());
  if (out >= kUnit) return kUnit;
  if (out <= -kUnit) return -kUnit;
  return out.get_si();
}

std::string candidate_name(const PrincipalAxis& model, std::size_t index) {
  const auto angles = static_cast<std::size_t>(model.angles);
  Rational degrees(static_cast<long>(180 * (index % angles)), static_cast<long>(angles));
  degrees.canonicalize();
  return to_decimal(degrees) + " degrees, length " + to_decimal(model.radii[index / angles]);
}

}  // namespace

std::vector<std::array<Rational, 2>> axis_candidates(const PrincipalAxis& model) {
  constexpr double kParts = 1e6;
  const auto part = [](double of) {
    Rational out(std::lround(kParts * of), static_cast<long>(kParts));
    out.canonicalize();
    return out;
  };
  std::vector<std::array<Rational, 2>> out;
  for (const Rational& radius : model.radii) {
    for (std::int64_t k = 0; k < model.angles; ++k) {
      const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(model.angles);
      out.push_back({radius * part(std::cos(angle)), radius * part(std::sin(angle))});
    }
  }
  return out;
}

ScoreTable axis_scores(const PrincipalAxis& model, const Schema& schema) {
  const std::vector<Rational> first = level_numbers(schema.at(model.columns[0]));
  const std::vector<Rational> second = level_numbers(schema.at(model.columns[1]));
  std::vector<Rational> both = first;
  both.insert(both.end(), second.begin(), second.end());
  const Multiples records = multiples(both);
  const std::vector<Candidate> candidates = prepared(model, records.unit);
  ScoreTable out{model.columns, {}, {}};
  for (std::size_t z = 0; z < candidates.size(); ++z) out.candidates.push_back(candidate_name(model, z));
  const std::size_t cells = first.size() * second.size();
  out.scores.resize(candidates.size() * cells);
  std::vector<Integer> values(candidates.size());
  Integer inner;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const Integer& x = records.of[cell / second.size()];
    const Integer& y = records.of[first.size() + cell % second.size()];
    for (std::size_t z = 0; z < candidates.size(); ++z) {
      const Candidate& one = candidates[z];
      inner = one.x * x + one.y * y;
      inner = inner * inner * one.factor;
      values[z] = (inner >> (kFactorBits - kLogBits)) - one.base;
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const Integer centre = *least + *most;
    for (std::size_t z = 0; z < candidates.size(); ++z)
      out.scores[z * cells + cell] = rounded_score(2 * values[z] - centre, model.power);
  }
  return out;
}

PrincipalAxes axes_at(double theta_1, double theta_2, double sigma) {
  const double s2 = sigma * sigma;
  const double length = std::hypot(theta_1, theta_2);
  const double c = length > 0 ? theta_1 / length : 1;
  const double s = length > 0 ? theta_2 / length : 0;
  return {{length * length + s2, s2}, {c, s, -s, c}};
}

}  // namespace postern::model
