#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/kinds/choice.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/statistic/grid_split.hpp"

#include "kinds/checks.hpp"

// A record at level x scores candidate z by clamp(power (log p(x | z) - c(x)), -1, 1) in units of 2^-20,
// rounded to the nearest, where c(x) is half way between the least and the largest log p(x | z): what is the
// same for all candidates does not count, and centring keeps most of what the clamp would cut away. Every
// step is exact, so that whoever verifies a release computes the same integers.

namespace postern::model {
namespace {

constexpr std::int64_t kUnit = std::int64_t{1} << kScoreBits;

std::int64_t clamped(const Integer& score) {
  if (score >= kUnit) return kUnit;
  if (score <= -kUnit) return -kUnit;
  return score.get_si();
}

Rational to_power(const Rational& base, unsigned long exponent) {
  Rational out;
  mpz_pow_ui(out.get_num().get_mpz_t(), base.get_num().get_mpz_t(), exponent);
  mpz_pow_ui(out.get_den().get_mpz_t(), base.get_den().get_mpz_t(), exponent);
  return out;
}

/// Scores of probabilities p(x | z) of one level: (a/b)/2 log(p^2 / (least largest)) for power a/b.
std::vector<std::int64_t> score_probabilities(const std::vector<Rational>& p, const Rational& power) {
  const auto [least, most] = std::minmax_element(p.begin(), p.end());
  const Rational centre = *least * *most;
  const Integer twice = 2 * power.get_den();
  std::vector<std::int64_t> out;
  for (const Rational& one : p) {
    const Rational ratio = one * one / centre;
    // floor(y / twice + 1/2) = floor((floor(y) + b) / twice): rounding needs no more than the floor.
    const Integer log = floor_log(to_power(ratio, power.get_num().get_ui()), kScoreBits);
    Rational scaled(log + power.get_den(), twice);
    scaled.canonicalize();
    out.push_back(clamped(floor(scaled)));
  }
  return out;
}

/// Scores of logarithms that are rational.
std::vector<std::int64_t> score_logs(const std::vector<Rational>& logs, const Rational& power) {
  const auto [least, most] = std::minmax_element(logs.begin(), logs.end());
  const Rational centre = (*least + *most) / 2;
  std::vector<std::int64_t> out;
  for (const Rational& log : logs)
    out.push_back(clamped(floor(power * (log - centre) * kUnit + Rational(1, 2))));
  return out;
}

/// The number that a level of a column stands for.
Rational number_at(const Column& column, std::uint32_t level) {
  if (const auto* whole = std::get_if<IntegerRange>(&column.values)) return Rational(whole->lo) + level;
  const auto& real = std::get<RealRange>(column.values);
  return real.lo + real.grid * level;
}

/// Scores of all candidates at one level.
std::vector<std::int64_t> scores_at(const Choice& model, const Column& column, std::uint32_t level) {
  std::vector<Rational> values;
  if (const auto* number = model.records.as<Number>()) {
    const Rational x = number_at(column, level);
    const Rational& variance = number->known.at(0);
    for (const std::vector<Rational>& z : model.points) {
      const Rational off = x - z.at(0);
      values.push_back(-off * off / (2 * variance));
    }
    return score_logs(values, model.power);
  }
  const auto* coin = model.records.as<Bernoulli>();
  for (const std::vector<Rational>& z : model.points) {
    if (coin == nullptr) {
      values.push_back(z.at(level));
    } else {
      values.push_back(level == coin->success ? z.at(0) : Rational(1 - z.at(0)));
    }
  }
  return score_probabilities(values, model.power);
}

}  // namespace

ScoreTable score_table(const Choice& model, const Schema& schema) {
  ScoreTable out;
  out.columns = columns_of(model.records);
  if (model.points.empty()) {
    out.candidates = model.names;
    out.scores = model.scores;
    return out;
  }
  for (const std::vector<Rational>& point : model.points) out.candidates.push_back(joined(point));
  const Column& column = schema.at(out.columns.front());
  const std::uint32_t levels = column.levels();
  out.scores.resize(model.points.size() * levels);
  for (std::uint32_t x = 0; x < levels; ++x) {
    const std::vector<std::int64_t> at = scores_at(model, column, x);
    for (std::size_t z = 0; z < at.size(); ++z) out.scores[z * levels + x] = at[z];
  }
  return out;
}

}  // namespace postern::model
