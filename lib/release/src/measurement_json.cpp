#include "measurement_json.hpp"

namespace postern::release {
namespace {

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

JsonValue statistic_json(const model::Statistic& statistic) { return statistic.kind().write(statistic); }

JsonValue shape_json(const model::Statistic& statistic, const model::Schema& schema) {
  JsonArray sizes;
  for (const std::uint32_t size : statistic.kind().shape(statistic, schema))
    sizes.push_back(json_integer(size));
  return json_array(std::move(sizes));
}

JsonValue cost_json(const Spend& cost) {
  return json_object({{std::string(unit_name(cost.currency())), json_rational(cost.exact())}});
}

JsonValue sensitivity_json(Currency currency, const Rational& value, std::string_view method) {
  JsonObject out{{currency == Currency::pure ? "l1" : "l2_squared", json_rational(value)}};
  if (!method.empty()) out.push_back({"method", json_text(method)});
  return json_object(std::move(out));
}

JsonObject block_json(const model::Block& block, const model::Schema& schema) {
  return {{"noise", json_object({{"kind", json_text(to_text(block.noise.kind))},
                                 {parameter_name(block.noise.kind), json_rational(block.noise.parameter)}})},
          {"shape", shape_json(block.statistic, schema)},
          {"statistic", statistic_json(block.statistic)}};
}

JsonObject request_json(const model::Request& request) {
  if (request.shares.empty()) return {};
  JsonObject shares;
  for (const auto& [name, share] : request.shares) shares.push_back({name, json_rational(share)});
  return {{"request", json_object({{"shares", json_object(std::move(shares))}})}};
}

std::string method_of(const model::Measurement& measurement, const model::Study& study) {
  return std::string(model::cost_method(measurement, study.schema, study.privacy));
}

JsonValue rounds_json(const model::RoundsPlan& plan) {
  return json_object(
      {{"at_most", json_integer(static_cast<Int128>(plan.at_most))}, {"rule", json_text(plan.rule)}});
}

Rational sensitivity_of(model::Measurement measurement, const model::Study& study) {
  for (model::Block& block : measurement.blocks) block.noise.parameter = 1;
  const Rational at_unit_noise = model::cost(measurement, study.schema, study.privacy);
  return study.privacy.currency == Currency::pure ? at_unit_noise : Rational(2 * at_unit_noise);
}

}  // namespace postern::release
