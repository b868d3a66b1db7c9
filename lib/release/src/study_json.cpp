#include "study_json.hpp"

namespace postern::release {
namespace {

void add_values(JsonObject& out, const model::Categories& values) {
  out.push_back({"categories", json_texts(values.labels)});
}

void add_values(JsonObject& out, const model::IntegerRange& values) {
  JsonArray cuts;
  for (const std::int64_t cut : values.cuts) cuts.push_back(json_integer(cut));
  out.push_back({"cuts", json_array(std::move(cuts))});
  out.push_back({"integer", json_array({json_integer(values.lo), json_integer(values.hi)})});
}

void add_values(JsonObject& out, const model::RealRange& values) {
  out.push_back({"cuts", json_rationals(values.cuts)});
  out.push_back({"grid", json_rational(values.grid)});
  out.push_back({"real", json_array({json_rational(values.lo), json_rational(values.hi)})});
}

JsonValue policy_json(const model::Policy& policy) {
  if (const auto* map = std::get_if<model::MapTo>(&policy))
    return json_object({{"map_to", json_integer(map->level)}});
  return json_text(std::holds_alternative<model::Clamp>(policy) ? "clamp" : "drop");
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

JsonValue model_json(const model::Model& model) { return model.kind().write(model); }

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
