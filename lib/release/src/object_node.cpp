#include "object_node.hpp"

namespace postern::release {

bool ObjectNode::is_list(std::string_view key) {
  const JsonValue* value = reader_.find(key);
  return value != nullptr && std::holds_alternative<JsonArray>(value->data);
}

bool ObjectNode::is_text(std::string_view key) {
  const JsonValue* value = reader_.find(key);
  return value != nullptr && std::holds_alternative<std::string>(value->data);
}

bool ObjectNode::is_table(std::string_view key) {
  const JsonValue* value = reader_.find(key);
  return value != nullptr && std::holds_alternative<JsonObject>(value->data);
}

bool ObjectNode::truth(std::string_view key) { return as_boolean(reader_.at(key), reader_.path(key)); }

std::vector<std::string> ObjectNode::texts(std::string_view key) {
  return as_texts(reader_.at(key), reader_.path(key));
}

std::vector<Rational> ObjectNode::rationals(std::string_view key, std::size_t count) {
  std::vector<Rational> out = as_rationals(reader_.at(key), reader_.path(key));
  if (count != 0 && out.size() != count)
    malformed(reader_.path(key), "does not have as many numbers as it must");
  return out;
}

std::vector<std::vector<std::string>> ObjectNode::text_rows(std::string_view key, std::size_t width) {
  const std::string where = reader_.path(key);
  std::vector<std::vector<std::string>> out;
  for (const JsonValue& row : as_array(reader_.at(key), where)) {
    out.push_back(as_texts(row, where));
    if (width != 0 && out.back().size() != width)
      malformed(where, "does not have as many texts in each row as it must");
  }
  return out;
}

std::vector<Rational> ObjectNode::rational_rows(std::string_view key, std::size_t rows, std::size_t width) {
  const std::string where = reader_.path(key);
  const JsonArray& items = as_array(reader_.at(key), where);
  if (items.size() != rows) malformed(where, "does not have as many rows as it must");
  std::vector<Rational> out;
  for (const JsonValue& row : items) {
    const std::vector<Rational> numbers = as_rationals(row, where);
    if (numbers.size() != width) malformed(where, "does not have as many numbers in each row as it must");
    out.insert(out.end(), numbers.begin(), numbers.end());
  }
  return out;
}

std::uint32_t ObjectNode::level(std::string_view key, const model::Column& /*column*/) {
  return static_cast<std::uint32_t>(reader_.integer(key, 0, model::kMaxLevels - 1));
}

Error ObjectNode::refusal(ErrorCode code, std::string_view key, const PublicText& text) {
  const std::string where = key.empty() ? reader_.where() : reader_.path(key);
  // What a study could not say is malformed in a document.
  if (code == ErrorCode::unsupported || code == ErrorCode::missing_key) code = ErrorCode::release_malformed;
  if (code == ErrorCode::bad_value) code = ErrorCode::release_inconsistent;
  return release::refusal(code, where, from_document(text.str()));
}

}  // namespace postern::release
