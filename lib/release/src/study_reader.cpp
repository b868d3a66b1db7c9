#include "limits.hpp"
#include "object_node.hpp"
#include "object_reader.hpp"
#include "study_json.hpp"

namespace postern::release {
namespace {

constexpr std::int64_t kBound = std::int64_t{1} << 53;

std::vector<std::int64_t> read_integers(const JsonValue& value, const std::string& where) {
  std::vector<std::int64_t> out;
  for (const JsonValue& item : as_array(value, where))
    out.push_back(as_integer_in(item, where, -kBound, kBound));
  return out;
}

std::uint32_t read_level(ObjectReader& reader, std::string_view key) {
  return static_cast<std::uint32_t>(reader.integer(key, 0, model::kMaxLevels - 1));
}

model::Policy read_policy(const JsonValue& value, const std::string& where) {
  if (const auto* word = std::get_if<std::string>(&value.data)) {
    if (*word == "clamp") return model::Clamp{};
    if (*word == "drop") return model::Drop{};
    malformed(where, "must be \"clamp\", \"drop\" or {\"map_to\": level}");
  }
  ObjectReader reader(value, where);
  const model::MapTo map{read_level(reader, "map_to")};
  reader.refuse_rest();
  return map;
}

model::Values read_values(ObjectReader& reader) {
  if (const JsonValue* categories = reader.find("categories")) {
    return model::Categories{as_texts(*categories, reader.path("categories"))};
  }
  if (const JsonValue* range = reader.find("integer")) {
    const std::vector<std::int64_t> ends = read_integers(*range, reader.path("integer"));
    if (ends.size() != 2) malformed(reader.path("integer"), "must have two ends");
    return model::IntegerRange{ends[0], ends[1], read_integers(reader.at("cuts"), reader.path("cuts"))};
  }
  const std::vector<Rational> ends = as_rationals(reader.at("real"), reader.path("real"));
  if (ends.size() != 2) malformed(reader.path("real"), "must have two ends");
  return model::RealRange{ends[0], ends[1], reader.rational("grid"),
                          as_rationals(reader.at("cuts"), reader.path("cuts"))};
}

model::Column read_column(const JsonValue& value, const std::string& where) {
  ObjectReader reader(value, where);
  model::Column column;
  column.name = reader.text("name");
  column.values = read_values(reader);
  column.missing = read_policy(reader.at("missing"), reader.path("missing"));
  column.missing_declared = as_boolean(reader.at("missing_declared"), reader.path("missing_declared"));
  column.outside = read_policy(reader.at("outside"), reader.path("outside"));
  reader.refuse_rest();
  return column;
}

std::vector<model::Column> read_columns(const JsonValue& value, const std::string& where) {
  const JsonArray& items = as_array(value, where);
  if (items.size() > kMaxColumns) refuse(ErrorCode::release_limit, where, "declares more than 10000 columns");
  std::vector<model::Column> out;
  for (const JsonValue& item : items)
    out.push_back(read_column(item, where + "[" + std::to_string(out.size()) + "]"));
  return out;
}

model::PrivacyPolicy read_policy_of_study(ObjectReader reader) {
  model::PrivacyPolicy out;
  const auto adjacency = model::parse_adjacency(reader.text("adjacency"));
  if (!adjacency) malformed(reader.path("adjacency"), "must be \"add-remove\" or \"replace-one\"");
  out.adjacency = *adjacency;
  const auto currency = parse_currency(reader.text("currency"));
  if (!currency) malformed(reader.path("currency"), "must be \"pure\" or \"zcdp\"");
  out.currency = *currency;
  if (const JsonValue* n = reader.find("n")) {
    ObjectReader bound(*n, reader.path("n"));
    out.n_at_most = bound.integer("at_most", 1, kMaxRecords);
    bound.refuse_rest();
  }
  out.unit = read_unit(reader.at("unit"), reader.path("unit"));
  reader.refuse_rest();
  return out;
}

}  // namespace

model::Unit read_unit(const JsonValue& value, const std::string& where) {
  if (const auto* word = std::get_if<std::string>(&value.data)) {
    if (*word == "record") return model::RecordUnit{};
    malformed(where, "must be \"record\" or {\"at_most\": k, \"column\": name}");
  }
  ObjectReader reader(value, where);
  model::PersonUnit person{reader.text("column"), reader.integer("at_most", 1, 1'000'000)};
  reader.refuse_rest();
  return person;
}

model::Study read_study(const JsonValue& value, const std::string& where) {
  ObjectReader reader(value, where);
  model::Study out;
  out.name = reader.text("name");
  out.dataset = reader.text("dataset");
  out.privacy = read_policy_of_study(reader.object("privacy"));
  out.schema = model::Schema(read_columns(reader.at("columns"), reader.path("columns")));
  ObjectNode node(reader.object("model"));
  out.model = model::read_model(node, out.schema);
  reader.refuse_rest();
  model::check_study(out);
  return out;
}

}  // namespace postern::release
