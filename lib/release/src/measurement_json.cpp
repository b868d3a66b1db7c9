#include "measurement_json.hpp"

namespace postern::release {
namespace {

JsonValue statistic_json(const model::Table& table) {
  JsonArray columns;
  for (const std::string& column : table.columns) columns.push_back(json_text(column));
  return json_object({{"columns", json_array(std::move(columns))}, {"kind", json_text("table")}});
}

JsonValue statistic_json(const model::LevelCount& count) {
  return json_object({{"column", json_text(count.column)},
                      {"kind", json_text("level-count")},
                      {"level", json_integer(count.level)}});
}

JsonValue shape_json(const model::Table& table, const model::Schema& schema) {
  const graph::Domain domain = schema.domain(table.columns);
  JsonArray sizes;
  for (const std::uint32_t size : domain.sizes()) sizes.push_back(json_integer(size));
  return json_array(std::move(sizes));
}

JsonValue shape_json(const model::LevelCount& /*count*/, const model::Schema& /*schema*/) {
  return json_array({json_integer(1)});
}

}  // namespace

JsonValue cost_json(const Spend& cost) {
  return json_object({{std::string(unit_name(cost.currency())), json_rational(cost.exact())}});
}

JsonValue sensitivity_json(Currency currency, const Rational& value) {
  return json_object({{currency == Currency::pure ? "l1" : "l2_squared", json_rational(value)}});
}

JsonObject block_json(const model::Block& block, const model::Schema& schema) {
  const bool laplace = block.noise.kind == model::NoiseKind::discrete_laplace;
  return {{"noise", json_object({{"kind", json_text(to_text(block.noise.kind))},
                                 {laplace ? "lambda" : "sigma2", json_rational(block.noise.parameter)}})},
          {"shape", std::visit([&](const auto& s) { return shape_json(s, schema); }, block.statistic)},
          {"statistic", std::visit([](const auto& s) { return statistic_json(s); }, block.statistic)}};
}

Rational sensitivity_of(model::Measurement measurement, const model::Study& study) {
  for (model::Block& block : measurement.blocks) block.noise.parameter = 1;
  const Rational at_unit_noise = model::cost(measurement, study.schema, study.privacy);
  return study.privacy.currency == Currency::pure ? at_unit_noise : Rational(2 * at_unit_noise);
}

}  // namespace postern::release
