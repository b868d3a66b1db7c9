#include "study_json.hpp"

#include <algorithm>

#include "postern/model/number_family.hpp"

namespace postern::release {
namespace {

JsonValue texts(const std::vector<std::string>& items) {
  JsonArray out;
  out.reserve(items.size());
  for (const std::string& item : items) out.push_back(json_text(item));
  return json_array(std::move(out));
}

JsonValue rationals(const std::vector<Rational>& items) {
  JsonArray out;
  out.reserve(items.size());
  for (const Rational& item : items) out.push_back(json_rational(item));
  return json_array(std::move(out));
}

void add_values(JsonObject& out, const model::Categories& values) {
  out.push_back({"categories", texts(values.labels)});
}

void add_values(JsonObject& out, const model::IntegerRange& values) {
  JsonArray cuts;
  for (const std::int64_t cut : values.cuts) cuts.push_back(json_integer(cut));
  out.push_back({"cuts", json_array(std::move(cuts))});
  out.push_back({"integer", json_array({json_integer(values.lo), json_integer(values.hi)})});
}

void add_values(JsonObject& out, const model::RealRange& values) {
  out.push_back({"cuts", rationals(values.cuts)});
  out.push_back({"grid", json_rational(values.grid)});
  out.push_back({"real", json_array({json_rational(values.lo), json_rational(values.hi)})});
}

JsonValue policy_json(const model::Policy& policy) {
  if (const auto* map = std::get_if<model::MapTo>(&policy))
    return json_object({{"map_to", json_integer(map->level)}});
  return json_text(std::holds_alternative<model::Clamp>(policy) ? "clamp" : "drop");
}

JsonValue family_json(const model::Bernoulli& model) {
  return json_object({{"kind", json_text("family")},
                      {"family", json_text("bernoulli")},
                      {"column", json_text(model.column)},
                      {"success", json_integer(model.success)},
                      {"prior", json_object({{"beta", rationals({model.a, model.b})}})}});
}

JsonValue family_json(const model::Categorical& model) {
  const bool flat = !model.alpha.empty() &&
                    std::all_of(model.alpha.begin(), model.alpha.end(),
                                [&](const Rational& alpha) { return alpha == model.alpha.front(); });
  return json_object({{"kind", json_text("family")},
                      {"family", json_text("categorical")},
                      {"columns", texts(model.columns)},
                      {"prior", json_object({{"dirichlet", flat ? json_rational(model.alpha.front())
                                                                : rationals(model.alpha)}})}});
}

JsonValue family_json(const model::Number& model) {
  const model::NumberFamily& family = *model::find_number_family(model.family);
  JsonObject known;
  for (std::size_t i = 0; i < model.known.size(); ++i)
    known.push_back({std::string(family.known[i].name), json_rational(model.known[i])});
  JsonObject out{{"kind", json_text("family")},
                 {"family", json_text(model.family)},
                 {"column", json_text(model.column)},
                 {"known", json_object(std::move(known))},
                 {"prior", json_object({{std::string(family.prior), rationals(model.prior)}})}};
  if (model.count_inside) out.push_back({"count_inside", JsonValue{true}});
  return json_object(std::move(out));
}

JsonValue family_json(const model::Quantiles& model) {
  return json_object(
      {{"kind", json_text("quantiles")}, {"column", json_text(model.column)}, {"at", rationals(model.at)}});
}

/// The scale row by row, as studies write it.
JsonValue family_json(const model::MultivariateNormal& model) {
  const std::size_t d = model.columns.size();
  JsonArray rows;
  for (std::size_t at = 0; at + d <= model.scale.size(); at += d) {
    const auto row = model.scale.begin() + static_cast<std::ptrdiff_t>(at);
    rows.push_back(rationals({row, row + static_cast<std::ptrdiff_t>(d)}));
  }
  return json_object({{"kind", json_text("family")},
                      {"family", json_text("multivariate-normal")},
                      {"columns", texts(model.columns)},
                      {"prior", json_object({{"normal-inverse-wishart",
                                              json_object({{"degrees", json_rational(model.degrees)},
                                                           {"mean", rationals(model.mean)},
                                                           {"scale", json_array(std::move(rows))},
                                                           {"weight", json_rational(model.weight)}})}})}});
}

JsonValue policy_of_study(const model::PrivacyPolicy& privacy) {
  JsonObject out{{"adjacency", json_text(to_text(privacy.adjacency))},
                 {"currency", json_text(to_text(privacy.currency))},
                 {"unit", unit_json(privacy.unit)}};
  if (privacy.n_at_most) out.push_back({"n", json_object({{"at_most", json_integer(*privacy.n_at_most)}})});
  return json_object(std::move(out));
}

}  // namespace

JsonValue values_json(const model::Values& values) {
  JsonObject out;
  std::visit([&](const auto& v) { add_values(out, v); }, values);
  return json_object(std::move(out));
}

JsonValue column_json(const model::Column& column) {
  JsonObject out{{"name", json_text(column.name)},
                 {"missing", policy_json(column.missing)},
                 {"missing_declared", {column.missing_declared}},
                 {"outside", policy_json(column.outside)}};
  std::visit([&](const auto& values) { add_values(out, values); }, column.values);
  return json_object(std::move(out));
}

JsonValue model_json(const model::Model& model) {
  return std::visit([](const auto& m) { return family_json(m); }, model);
}

JsonValue unit_json(const model::Unit& unit) {
  const auto* person = std::get_if<model::PersonUnit>(&unit);
  if (person == nullptr) return json_text("record");
  return json_object({{"at_most", json_integer(person->at_most)}, {"column", json_text(person->column)}});
}

JsonValue study_json(const model::Study& study) {
  JsonArray columns;
  for (const model::Column& column : study.schema.columns()) columns.push_back(column_json(column));
  return json_object({{"columns", json_array(std::move(columns))},
                      {"dataset", json_text(study.dataset)},
                      {"model", model_json(study.model)},
                      {"name", json_text(study.name)},
                      {"privacy", policy_of_study(study.privacy)}});
}

}  // namespace postern::release
