#include "kinds/principal_axis/text.hpp"

#include <algorithm>

#include "postern/model/level_steps.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"

namespace postern::model {
namespace {

/// Half of the narrower column's range, from its middle to its end.
Rational narrower_half(const std::vector<std::string>& columns, const Schema& schema) {
  Rational out = 2;
  bool first = true;
  for (const std::string& name : columns) {
    if (!schema.find(name)) continue;
    const Values& values = schema.at(name).values;
    Rational width = 4;
    if (const auto* whole = std::get_if<IntegerRange>(&values))
      width = Rational(static_cast<long>(whole->hi)) - Rational(static_cast<long>(whole->lo));
    if (const auto* real = std::get_if<RealRange>(&values)) width = real->hi - real->lo;
    const Rational half = width / 2;
    if (first || half < out) out = half;
    first = false;
  }
  return out;
}

void check_column(const Column& column, const Rational& sigma) {
  const auto* whole = std::get_if<IntegerRange>(&column.values);
  const auto* real = std::get_if<RealRange>(&column.values);
  const bool uncut = (whole != nullptr && whole->cuts.empty()) || (real != nullptr && real->cuts.empty());
  if (!uncut || column.levels() < 2)
    throw Error(ErrorCode::bad_value, {"an axis needs columns that declare `real = [lo, hi]` and `grid`, or "
                                       "`integer = [lo, hi]`, without cuts, and '",
                                       from_study(column.name), "' does not"});
  if (std::holds_alternative<Drop>(column.outside))
    throw StudyError({{"columns", column.name, "outside"}}, ErrorCode::bad_value,
                     {"column '", from_study(column.name),
                      "' drops records outside its range, which an axis cannot allow for; write outside = "
                      "\"clamp\""});
  if (LevelSteps(column).stride() > 2 * sigma)
    throw Error(ErrorCode::bad_value,
                {"the grid of '", from_study(column.name),
                 "' is coarser than two `sigma`: records across the axis would all be the same"});
}

void check_candidates(const PrincipalAxis& model, const Schema& schema) {
  if (3600 % model.angles != 0)
    throw StudyError({{"model", "angles"}}, ErrorCode::bad_value,
                     {"`angles` is ", public_number(model.angles), "; take a divisor of 3600, such as 24"});
  for (std::size_t i = 0; i < model.radii.size(); ++i) {
    if (may_be_parameter(model.radii[i]) &&
        std::count(model.radii.begin(), model.radii.end(), model.radii[i]) == 1)
      continue;
    throw StudyError({{"model", "radii"}, i}, ErrorCode::bad_value,
                     {"a candidate's length is ", from_study(to_decimal(model.radii[i])),
                      "; lengths differ and lie in 0.000001..1000000000"});
  }
  const std::size_t candidates = static_cast<std::size_t>(model.angles) * model.radii.size();
  const std::size_t cells = schema.domain(model.columns).cells();
  if (candidates < 2 || candidates > kMostCandidates || cells > kMostScores ||
      candidates * cells > kMostScores)
    throw StudyError({{"model", "columns"}}, ErrorCode::bad_value,
                     {"here are ", public_number(static_cast<long long>(candidates)), " candidates and ",
                      public_number(static_cast<long long>(cells)),
                      " pairs of levels; there may be 1000 candidates, and candidates times pairs at most ",
                      public_number(kMostScores), ": take a coarser `grid`, or fewer `angles` and `radii`"});
}

bool may_be_power(const Rational& power) {
  return power > 0 && power <= 1000 && power.get_num() <= 1000 && power.get_den() <= 1000;
}

}  // namespace

void check_axis(const PrincipalAxis& model, const Schema& schema) {
  if (model.columns.size() != 2)
    throw StudyError({{"model", "columns"}}, ErrorCode::bad_value,
                     {"an axis with a known `sigma` is one of two columns; leave `sigma` out for more"});
  check_different(model.columns);
  if (!may_be_parameter(model.sigma))
    throw StudyError(
        {{"model", "sigma"}}, ErrorCode::bad_value,
        {"`sigma` is ", from_study(to_decimal(model.sigma)), "; it must lie in 0.000001..1000000000"});
  for (std::size_t i = 0; i < 2; ++i)
    at_place({{"model", "columns"}, i}, [&] { check_column(schema.at(model.columns[i]), model.sigma); });
  if (!may_be_power(model.power))
    throw StudyError({{"model", "power"}}, ErrorCode::bad_value,
                     {"`power` is ", from_study(to_decimal(model.power)),
                      "; it must lie in 0.001..1000, with at most three digits that count"});
  at_place({{"model", "prior", "normal", "variance"}}, [&] { check_prior_parameter(model.variance); });
  check_candidates(model, schema);
  const ScoreTable table = axis_scores(model, schema);
  at_place({{"model", "radii"}}, [&] { static_cast<void>(kind_of(table).shape(table, schema)); });
}

PrincipalAxis read_axis(Node& node, const Schema& schema) {
  node.allow({"kind", "columns", "sigma", "angles", "radii", "power", "prior"});
  PrincipalAxis out;
  out.columns = node.texts("columns");
  out.sigma = node.rational("sigma");
  const Rational deviation = std::max<Rational>(narrower_half(out.columns, schema) / 2, Rational(1, 1000));
  out.variance = deviation * deviation;
  out.radii = {deviation / 2, deviation, 2 * deviation};
  if (node.states_all() || node.has("angles")) out.angles = node.integer("angles", 2, 360);
  if (node.states_all() || node.has("radii")) out.radii = node.rationals("radii");
  if (node.states_all() || node.has("power")) out.power = node.rational("power");
  if (states_numbers(node)) {
    const std::unique_ptr<Node> named = node.inner("prior");
    named->allow({"normal"});
    const std::unique_ptr<Node> prior = named->inner("normal");
    prior->allow({"variance"});
    out.variance = prior->rational("variance");
    prior->finish();
    named->finish();
  }
  return out;
}

JsonValue write_axis(const PrincipalAxis& model) {
  const JsonValue prior = json_object({{"variance", json_rational(model.variance)}});
  return json_object({{"kind", json_text("principal-component")},
                      {"angles", json_integer(model.angles)},
                      {"columns", json_texts(model.columns)},
                      {"power", json_rational(model.power)},
                      {"prior", json_object({{"normal", prior}})},
                      {"radii", json_rationals(model.radii)},
                      {"sigma", json_rational(model.sigma)}});
}

}  // namespace postern::model
