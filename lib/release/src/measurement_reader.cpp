#include <algorithm>
#include <map>

#include "postern/model/noise_limits.hpp"

#include "limits.hpp"
#include "measurement_json.hpp"
#include "object_node.hpp"
#include "object_reader.hpp"

namespace postern::release {
namespace {

model::Noise read_noise(ObjectReader reader, Currency currency, bool of_scores) {
  const bool laplace = currency == Currency::pure;
  model::Noise noise{of_scores ? model::NoiseKind::exponential
                     : laplace ? model::NoiseKind::discrete_laplace
                               : model::NoiseKind::discrete_gaussian,
                     0};
  if (reader.text("kind") != to_text(noise.kind))
    inconsistent(reader.path("kind"), "is not paid in the study's currency");
  const std::string_view key = of_scores ? "scale" : laplace ? "lambda" : "sigma2";
  noise.parameter = reader.rational(key);
  if (sgn(noise.parameter) <= 0) inconsistent(reader.path(key), "must be positive");
  if (!model::noise_in_range(noise.parameter))
    refuse(ErrorCode::release_limit, reader.path(key), "is outside 10^-18..10^30");
  reader.refuse_rest();
  return noise;
}

std::vector<Int128> read_block_values(const JsonValue& value, const std::string& where, std::size_t size) {
  const JsonArray& items = as_array(value, where);
  if (items.size() != size) inconsistent(where, "does not have one value for each cell of the shape");
  std::vector<Int128> out;
  out.reserve(size);
  constexpr Int128 kBound = Int128{1} << kValueBits;
  for (const JsonValue& item : items) {
    const Int128 number = as_integer(item, where);
    if (number <= -kBound || number >= kBound)
      refuse(ErrorCode::release_limit, where, "holds a value of 2^100 or more");
    out.push_back(number);
  }
  return out;
}

MeasuredBlock read_block(ObjectReader reader, const model::Study& study) {
  MeasuredBlock out;
  ObjectNode statistic(reader.object("statistic"));
  out.block.statistic = model::read_statistic(statistic);
  const model::StatisticKind& kind = out.block.statistic.kind();
  out.block.noise = read_noise(reader.object("noise"), study.privacy.currency, kind.is_choice());
  out.block.size = model::statistic_size(out.block.statistic, study.schema);
  const std::string shape = to_canonical(shape_json(out.block.statistic, study.schema));
  if (to_canonical(reader.at("shape")) != shape)
    inconsistent(reader.path("shape"), "is not the shape of the statistic");
  out.values = read_block_values(reader.at("values"), reader.path("values"), out.block.size);
  if (kind.is_choice() && (out.values[0] < 0 || out.values[0] >= static_cast<Int128>(kind.candidates(
                                                                     out.block.statistic, study.schema))))
    inconsistent(reader.path("values"), "is not a level of the column");
  reader.refuse_rest();
  return out;
}

model::Request read_request(ObjectReader& reader, const model::Study& study) {
  model::Request out;
  const std::string& mechanism = reader.text("mechanism");
  const std::vector<model::Mechanism> offered = study.model.kind().mechanisms(study);
  const auto found = std::find_if(offered.begin(), offered.end(),
                                  [&](model::Mechanism one) { return to_text(one) == mechanism; });
  if (found == offered.end()) inconsistent(reader.path("mechanism"), "is not paid in the study's currency");
  out.mechanism = *found;
  const JsonValue* stated = reader.find("request");
  if (stated == nullptr) return out;
  ObjectReader request(*stated, reader.path("request"));
  const JsonValue& shares = request.at("shares");
  const std::string where = request.path("shares");
  if (!std::holds_alternative<JsonObject>(shares.data)) malformed(where, "must be an object");
  for (const JsonMember& share : std::get<JsonObject>(shares.data))
    out.shares[share.key] = as_rational(share.value, where);
  if (out.shares.empty()) malformed(where, "is left out where there are none");
  request.refuse_rest();
  return out;
}

void read_sensitivity(ObjectReader reader, Currency currency, Release& out) {
  const std::string_view key = currency == Currency::pure ? "l1" : "l2_squared";
  out.sensitivity = reader.rational(key);
  if (sgn(*out.sensitivity) <= 0) inconsistent(reader.path(key), "must be positive");
  if (reader.find("method") != nullptr) {
    out.sensitivity_method = reader.text("method");
    if (out.sensitivity_method != "exact" && out.sensitivity_method != "bound")
      malformed(reader.path("method"), "must be \"exact\" or \"bound\"");
  }
  reader.refuse_rest();
}

}  // namespace

Spend read_cost(const JsonValue& value, const std::string& where, Currency currency) {
  ObjectReader reader(value, where);
  const Rational amount = reader.rational(unit_name(currency));
  reader.refuse_rest();
  if (sgn(amount) <= 0) inconsistent(where, "must be positive");
  if (amount > Rational(9'000'000'000)) refuse(ErrorCode::release_limit, where, "is past 9e9");
  const Spend cost = Spend::ceil(currency, amount);
  if (cost.exact() != amount) inconsistent(where, "is not a whole number of billionths");
  return cost;
}

void read_measurements(const JsonValue& value, const std::string& where, Release& out) {
  const JsonArray& items = as_array(value, where);
  if (items.size() != 1) malformed(where, "must hold one measurement");
  ObjectReader reader(items.front(), where + "[0]");
  const Currency currency = out.study.privacy.currency;
  out.request = read_request(reader, out.study);
  if (read_cost(reader.at("cost"), reader.path("cost"), currency) != out.cost) {
    inconsistent(reader.path("cost"), "is not the cost of the release");
  }
  read_sensitivity(reader.object("sensitivity"), currency, out);
  const JsonArray& blocks = as_array(reader.at("blocks"), reader.path("blocks"));
  if (blocks.empty()) malformed(reader.path("blocks"), "is empty");
  if (blocks.size() > kMaxBlocks)
    refuse(ErrorCode::release_limit, reader.path("blocks"), "holds more than 4096 blocks");
  std::map<const model::StatisticKind*, std::size_t> of_kind;
  std::size_t cells = 0;
  for (const JsonValue& block : blocks) {
    const std::string path = reader.path("blocks") + "[" + std::to_string(out.blocks.size()) + "]";
    out.blocks.push_back(read_block({block, path}, out.study));
    const model::StatisticKind& kind = out.blocks.back().block.statistic.kind();
    if (++of_kind[&kind] > kind.most_in_document())
      refuse(ErrorCode::release_limit, path, "is one statistic of its sort too many");
    cells += out.blocks.back().block.size;
    if (cells > model::kMaxCells) refuse(ErrorCode::release_limit, path, "is one cell of a table too many");
  }
  reader.refuse_rest();
}

}  // namespace postern::release
