#include <set>

#include "postern/model/noise_limits.hpp"

#include "limits.hpp"
#include "measurement_json.hpp"
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

model::Table read_table(const JsonValue& value, const std::string& where) {
  const JsonArray& items = as_array(value, where);
  model::Table table;
  if (!items.empty() && items.size() <= kMaxTableColumns) {
    for (const JsonValue& item : items) table.columns.push_back(as_text(item, where));
  }
  const std::set<std::string> distinct(table.columns.begin(), table.columns.end());
  if (distinct.empty() || distinct.size() != items.size())
    inconsistent(where, "must name one to three different columns");
  return table;
}

model::Transform read_transform(const JsonValue& value, const std::string& where) {
  if (const auto* word = std::get_if<std::string>(&value.data)) {
    if (*word == "identity") return {};
    if (*word == "log") return {model::Transform::Kind::log, 1};
    malformed(where, "must be \"identity\", \"log\" or {\"power\": exponent}");
  }
  ObjectReader reader(value, where);
  model::Transform out{model::Transform::Kind::power, reader.rational("power")};
  if (sgn(out.exponent) <= 0) inconsistent(where, "must be positive");
  reader.refuse_rest();
  return out;
}

model::LevelSum read_sum(ObjectReader& reader, std::string_view kind) {
  model::LevelSum out{reader.text("column"), read_transform(reader.at("of"), reader.path("of"))};
  out.power = kind == "inside-count" ? 0 : static_cast<int>(reader.integer("power", 1, 2));
  out.mirrored = kind == "mirrored-sum";
  return out;
}

model::ProductSum read_product(const JsonValue& value, const std::string& where) {
  const JsonArray& items = as_array(value, where);
  if (items.size() != 2) malformed(where, "must name two columns");
  return {as_text(items[0], where), as_text(items[1], where)};
}

model::Statistic read_statistic(ObjectReader reader) {
  const std::string& kind = reader.text("kind");
  model::Statistic out;
  if (kind == "table") {
    out = read_table(reader.at("columns"), reader.path("columns"));
  } else if (kind == "level-count") {
    out = model::LevelCount{reader.text("column"),
                            static_cast<std::uint32_t>(reader.integer("level", 0, model::kMaxLevels - 1))};
  } else if (kind == "sum" || kind == "mirrored-sum" || kind == "inside-count") {
    out = read_sum(reader, kind);
  } else if (kind == "product-sum") {
    out = read_product(reader.at("columns"), reader.path("columns"));
  } else if (kind == "rank-scores") {
    out = model::RankScores{reader.text("column"), reader.rational("at")};
  } else if (kind == "record-count") {
    out = model::RecordCount{};
  } else {
    malformed(reader.path("kind"), "is a statistic this version does not know");
  }
  reader.refuse_rest();
  return out;
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
  out.block.statistic = read_statistic(reader.object("statistic"));
  const auto* scores = std::get_if<model::RankScores>(&out.block.statistic);
  out.block.noise = read_noise(reader.object("noise"), study.privacy.currency, scores != nullptr);
  out.block.size = model::statistic_size(out.block.statistic, study.schema);
  const std::string shape = to_canonical(shape_json(out.block.statistic, study.schema));
  if (to_canonical(reader.at("shape")) != shape)
    inconsistent(reader.path("shape"), "is not the shape of the statistic");
  out.values = read_block_values(reader.at("values"), reader.path("values"), out.block.size);
  if (scores != nullptr && (out.values[0] < 0 || out.values[0] >= study.schema.at(scores->column).levels()))
    inconsistent(reader.path("values"), "is not a level of the column");
  reader.refuse_rest();
  return out;
}

Rational read_sensitivity(ObjectReader reader, Currency currency) {
  const std::string_view key = currency == Currency::pure ? "l1" : "l2_squared";
  Rational value = reader.rational(key);
  if (sgn(value) <= 0) inconsistent(reader.path(key), "must be positive");
  reader.refuse_rest();
  return value;
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
  const std::string& mechanism = reader.text("mechanism");
  out.mechanism = model::default_mechanism(out.study);
  if (mechanism != to_text(out.mechanism))
    inconsistent(reader.path("mechanism"), "is not paid in the study's currency");
  if (read_cost(reader.at("cost"), reader.path("cost"), currency) != out.cost) {
    inconsistent(reader.path("cost"), "is not the cost of the release");
  }
  out.sensitivity = read_sensitivity(reader.object("sensitivity"), currency);
  const JsonArray& blocks = as_array(reader.at("blocks"), reader.path("blocks"));
  if (blocks.empty()) malformed(reader.path("blocks"), "is empty");
  if (blocks.size() > kMaxBlocks)
    refuse(ErrorCode::release_limit, reader.path("blocks"), "holds more than 4096 blocks");
  std::size_t sums = 0;
  std::size_t products = 0;
  for (const JsonValue& block : blocks) {
    const std::string path = reader.path("blocks") + "[" + std::to_string(out.blocks.size()) + "]";
    out.blocks.push_back(read_block({block, path}, out.study));
    sums += std::holds_alternative<model::LevelSum>(out.blocks.back().block.statistic) ? 1 : 0;
    products += std::holds_alternative<model::ProductSum>(out.blocks.back().block.statistic) ? 1 : 0;
    if (sums > kMaxSums || products > kMaxProducts)
      refuse(ErrorCode::release_limit, path, "is one sum of a column too many");
  }
  reader.refuse_rest();
}

}  // namespace postern::release
