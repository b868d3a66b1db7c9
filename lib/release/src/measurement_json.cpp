#include "measurement_json.hpp"

namespace postern::release {
namespace {

JsonValue to_json(const model::Table& table) {
  JsonArray columns;
  for (const std::string& column : table.columns) columns.push_back(json_text(column));
  return json_object({{"columns", json_array(std::move(columns))}, {"kind", json_text("table")}});
}

JsonValue to_json(const model::LevelCount& count) {
  return json_object({{"column", json_text(count.column)},
                      {"kind", json_text("level-count")},
                      {"level", json_integer(count.level)}});
}

JsonValue transform_json(const model::Transform& transform) {
  if (transform.kind == model::Transform::Kind::identity) return json_text("identity");
  if (transform.kind == model::Transform::Kind::log) return json_text("log");
  return json_object({{"power", json_rational(transform.exponent)}});
}

JsonValue to_json(const model::LevelSum& sum) {
  if (sum.power == 0) {
    return json_object({{"column", json_text(sum.column)},
                        {"kind", json_text("inside-count")},
                        {"of", transform_json(sum.transform)}});
  }
  return json_object({{"column", json_text(sum.column)},
                      {"kind", json_text(sum.mirrored ? "mirrored-sum" : "sum")},
                      {"of", transform_json(sum.transform)},
                      {"power", json_integer(sum.power)}});
}

JsonValue to_json(const model::RecordCount& /*count*/) {
  return json_object({{"kind", json_text("record-count")}});
}

JsonValue to_json(const model::RankScores& scores) {
  return json_object({{"at", json_rational(scores.at)},
                      {"column", json_text(scores.column)},
                      {"kind", json_text("rank-scores")}});
}

JsonValue to_json(const model::ProductSum& sum) {
  return json_object({{"columns", json_array({json_text(sum.first), json_text(sum.second)})},
                      {"kind", json_text("product-sum")}});
}

const char* parameter_name(model::NoiseKind kind) {
  switch (kind) {
    case model::NoiseKind::discrete_laplace:
      return "lambda";
    case model::NoiseKind::discrete_gaussian:
      return "sigma2";
    case model::NoiseKind::exponential:
      return "scale";
  }
  return "";
}

}  // namespace

JsonValue statistic_json(const model::Statistic& statistic) {
  return std::visit([](const auto& s) { return to_json(s); }, statistic);
}

JsonValue shape_json(const model::Statistic& statistic, const model::Schema& schema) {
  const auto* table = std::get_if<model::Table>(&statistic);
  if (table == nullptr) return json_array({json_integer(1)});
  const graph::Domain domain = schema.domain(table->columns);
  JsonArray sizes;
  for (const std::uint32_t size : domain.sizes()) sizes.push_back(json_integer(size));
  return json_array(std::move(sizes));
}

JsonValue cost_json(const Spend& cost) {
  return json_object({{std::string(unit_name(cost.currency())), json_rational(cost.exact())}});
}

JsonValue sensitivity_json(Currency currency, const Rational& value) {
  return json_object({{currency == Currency::pure ? "l1" : "l2_squared", json_rational(value)}});
}

JsonObject block_json(const model::Block& block, const model::Schema& schema) {
  return {{"noise", json_object({{"kind", json_text(to_text(block.noise.kind))},
                                 {parameter_name(block.noise.kind), json_rational(block.noise.parameter)}})},
          {"shape", shape_json(block.statistic, schema)},
          {"statistic", statistic_json(block.statistic)}};
}

Rational sensitivity_of(model::Measurement measurement, const model::Study& study) {
  for (model::Block& block : measurement.blocks) block.noise.parameter = 1;
  const Rational at_unit_noise = model::cost(measurement, study.schema, study.privacy);
  return study.privacy.currency == Currency::pure ? at_unit_noise : Rational(2 * at_unit_noise);
}

}  // namespace postern::release
