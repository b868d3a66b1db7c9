#include "foreign_json.hpp"

#include "postern/release/foreign.hpp"

#include "inconsistency.hpp"
#include "limits.hpp"
#include "measurement_json.hpp"
#include "object_node.hpp"
#include "object_reader.hpp"
#include "study_json.hpp"

namespace postern::release {
namespace {

constexpr int kForeignVersion = 1;

void add_if_there(JsonObject& out, const char* key, const std::optional<Rational>& value) {
  if (value) out.push_back({key, json_rational(*value)});
}

JsonValue foreign_block_json(const model::ForeignBlock& block) {
  JsonObject published;
  add_if_there(published, "at_least", block.published.at_least);
  add_if_there(published, "at_most", block.published.at_most);
  add_if_there(published, "round_to", block.published.round_to);
  add_if_there(published, "threshold", block.published.threshold);
  JsonArray values;
  for (const auto& value : block.values)
    values.push_back(value ? json_rational(*value) : JsonValue{JsonNull{}});
  return json_object({{"noise", json_object({{"kind", json_text(to_text(block.law))},
                                             {"scale", json_rational(block.scale)}})},
                      {"published", json_object(std::move(published))},
                      {"statistic", statistic_json(block.statistic)},
                      {"values", json_array(std::move(values))}});
}

std::optional<Rational> rational_if_there(ObjectReader& reader, const char* key) {
  if (reader.find(key) == nullptr) return std::nullopt;
  return reader.rational(key);
}

model::ForeignBlock read_block(ObjectReader reader) {
  model::ForeignBlock out;
  ObjectNode statistic(reader.object("statistic"));
  out.statistic = model::read_statistic(statistic);
  ObjectReader noise = reader.object("noise");
  const auto law = model::parse_foreign_law(noise.text("kind"));
  if (!law) malformed(noise.path("kind"), "is not a law of noise that this version knows");
  out.law = *law;
  out.scale = noise.rational("scale");
  noise.refuse_rest();
  ObjectReader published = reader.object("published");
  out.published = {rational_if_there(published, "round_to"), rational_if_there(published, "at_least"),
                   rational_if_there(published, "at_most"), rational_if_there(published, "threshold")};
  published.refuse_rest();
  const std::string where = reader.path("values");
  for (const JsonValue& value : as_array(reader.at("values"), where)) {
    const bool absent = std::holds_alternative<JsonNull>(value.data);
    out.values.push_back(absent ? std::nullopt : std::optional(as_rational(value, where)));
  }
  reader.refuse_rest();
  return out;
}

model::Foreign read_declaration(ObjectReader reader) {
  model::Foreign out;
  out.made_by = reader.text("made_by");
  if (reader.find("record_set") != nullptr) out.record_set = reader.text("record_set");
  if (reader.find("n") != nullptr) out.n = reader.integer("n", 0, kMaxRecords);
  const std::string where = reader.path("measured");
  const JsonArray& blocks = as_array(reader.at("measured"), where);
  if (blocks.size() > kMaxBlocks) refuse(ErrorCode::release_limit, where, "holds more than 4096 blocks");
  for (std::size_t b = 0; b < blocks.size(); ++b)
    out.blocks.push_back(read_block({blocks[b], where + "[" + std::to_string(b) + "]"}));
  reader.refuse_rest();
  return out;
}

}  // namespace

JsonValue foreign_declaration(const Release& release) {
  const model::Foreign& foreign = *release.foreign;
  JsonArray blocks;
  for (const model::ForeignBlock& block : foreign.blocks) blocks.push_back(foreign_block_json(block));
  JsonObject out{{"made_by", json_text(foreign.made_by)}, {"measured", json_array(std::move(blocks))}};
  if (foreign.n) out.push_back({"n", json_integer(*foreign.n)});
  if (foreign.record_set) out.push_back({"record_set", json_text(*foreign.record_set)});
  return json_object({{"foreign", json_object(std::move(out))},
                      {"format", json_text(kForeignFormat)},
                      {"study", study_json(release.study)},
                      {"verified", {false}},
                      {"version", json_integer(kForeignVersion)}});
}

JsonValue foreign_json(const Release& release) {
  JsonValue out = foreign_declaration(release);
  std::get<JsonObject>(out.data).push_back({"release_id", json_text(release.release_id)});
  return out;
}

bool is_foreign_document(const JsonValue& tree) {
  const auto* members = std::get_if<JsonObject>(&tree.data);
  if (members == nullptr) return false;
  for (const JsonMember& member : *members) {
    if (member.key != "format") continue;
    const auto* text = std::get_if<std::string>(&member.value.data);
    return text != nullptr && *text == kForeignFormat;
  }
  return false;
}

Release read_foreign_document(const JsonValue& tree) {
  ObjectReader top(tree, "");
  top.expect_text("format", kForeignFormat);
  expect_version(top, kForeignVersion);
  if (as_boolean(top.at("verified"), "verified")) malformed("verified", "must be false");
  const std::string& id = as_hex(top.at("release_id"), "release_id", 32);
  Release out;
  as_inconsistency("the document declares what cannot have been released: ", [&] {
    out = foreign_release(read_study(top.at("study"), "study"), read_declaration(top.object("foreign")));
  });
  if (out.release_id != id) inconsistent("release_id", "is not that of the declaration");
  top.refuse_rest();
  return out;
}

}  // namespace postern::release
