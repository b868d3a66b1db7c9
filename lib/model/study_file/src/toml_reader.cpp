#include "toml_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <utility>

#include "postern/model/schema.hpp"

#include "toml_guard.hpp"
#include "toml_plus.hpp"

namespace postern::model {
namespace {

const toml::table& node_of(const void* table) { return *static_cast<const toml::table*>(table); }

std::string place_text(const std::string& file, const toml::source_region& region) {
  if (region.begin.line == 0) return file + ": ";
  return file + ":" + std::to_string(region.begin.line) + ":" + std::to_string(region.begin.column) + ": ";
}

Error refusal_at(ErrorCode code, const std::string& file, const toml::source_region& region,
                 const PublicText& text) {
  return {code, {quote(place_text(file, region), 300), quote(text.str(), 500)}};
}

[[noreturn]] void refuse_at(ErrorCode code, const std::string& file, const toml::source_region& region,
                            const PublicText& text) {
  throw refusal_at(code, file, region, text);
}

/// The decimal that was meant by a float: the shortest that reads back as it, without an exponent.
std::string shortest_decimal(double number) {
  std::array<char, 400> digits{};  // the largest double has 309 before the point
  const auto end = std::to_chars(digits.begin(), digits.end(), number, std::chars_format::fixed).ptr;
  return {digits.begin(), end};
}

/// Which values a key takes beside those of its own type.
enum class Takes { text, whole_numbers, decimals, other };

[[noreturn]] void refuse_type(const std::string& file, const toml::node& node, std::string_view path,
                              std::string_view wanted, Takes takes) {
  const auto* number = node.as_floating_point();
  const std::string digits = number == nullptr ? "" : shortest_decimal(number->get());
  const bool whole = digits.find_first_not_of("-0123456789") == std::string::npos;
  if (number == nullptr || takes == Takes::other || (takes == Takes::whole_numbers && !whole) ||
      !parse_decimal(digits, 18)) {
    refuse_at(ErrorCode::wrong_type, file, node.source(),
              {"'", from_study(path), "' must be ", from_study(wanted)});
  }
  if (whole && takes != Takes::text) {
    refuse_at(ErrorCode::bare_float, file, node.source(),
              {"'", from_study(path), "' is a bare float, which is not exact; write the whole number ",
               from_study(digits)});
  }
  refuse_at(ErrorCode::bare_float, file, node.source(),
            {"'", from_study(path), "' is a bare float, which is not exact; put it in quotes: \"",
             from_study(digits), "\""});
}

std::string joined(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

const toml::node& required(const TomlTable& self, const void* table, std::string_view key) {
  const toml::node* node = node_of(table).get(key);
  if (node != nullptr) return *node;
  const std::vector<std::string> names{std::string(key)};
  for (const std::string& other : self.keys()) {
    if (!nearest_name(other, names)) continue;
    self.refuse(ErrorCode::unknown_key, other,
                {"'", from_study(other), "' is not a key here; did you mean '", from_study(key), "'?"});
  }
  self.refuse(ErrorCode::missing_key, "", {"the key '", from_study(key), "' is missing"});
}

Rational decimal_of(const std::string& file, const toml::node& node, std::string_view path) {
  if (const auto* whole = node.as_integer()) return Rational(static_cast<long>(whole->get()));
  const auto* text = node.as_string();
  const auto value = text == nullptr ? std::nullopt : parse_number(text->get(), 18);
  if (value) return *value;
  if (text != nullptr) {
    refuse_at(ErrorCode::wrong_type, file, node.source(),
              {"'", from_study(path), "' is \"", from_study(text->get()),
               "\"; write a decimal number such as \"0.25\""});
  }
  refuse_type(file, node, path, "an integer, or a decimal number in quotes such as \"0.25\"",
              Takes::decimals);
}

const toml::array& array_of(const TomlTable& self, const void* table, const std::string& file,
                            const std::string& path, std::string_view key, std::size_t count) {
  const toml::node& node = required(self, table, key);
  const toml::array* array = node.as_array();
  if (array == nullptr) refuse_type(file, node, path, "a list", Takes::other);
  if (array->empty() || (count != 0 && array->size() != count)) {
    refuse_at(ErrorCode::bad_value, file, node.source(),
              {"'", from_study(path), "' has ", public_number(static_cast<long long>(array->size())),
               " values; it needs ",
               from_study(count == 0 ? std::string("at least one") : "exactly " + std::to_string(count))});
  }
  return *array;
}

}  // namespace

struct TomlDocument::Parsed {
  std::string file;
  toml::table root;
};

TomlTable::TomlTable(const void* table, const std::string* file, std::string path)
    : table_(table), file_(file), path_(std::move(path)) {}

Error TomlTable::refusal(ErrorCode code, std::string_view key, const PublicText& text) const {
  const toml::table& table = node_of(table_);
  const toml::node* node = key.empty() ? nullptr : table.get(key);
  const std::string where = path_.empty() ? std::string() : "[" + path_ + "] ";
  return refusal_at(code, *file_, node == nullptr ? table.source() : node->source(),
                    {from_study(where), quote(text.str(), 500)});
}

void TomlTable::allow(std::span<const std::string_view> known) const {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& [key, node] : node_of(table_)) {
    if (std::find(names.begin(), names.end(), key.str()) != names.end()) continue;
    const auto nearest = nearest_name(key.str(), names);
    std::string choices;
    for (const std::string& name : names) choices += (choices.empty() ? "" : ", ") + name;
    refuse_at(ErrorCode::unknown_key, *file_, key.source(),
              {"'", from_study(joined(path_, key.str())), "' is not a key here; ",
               quote(nearest ? "did you mean '" + *nearest + "'?" : "the keys are " + choices, 200)});
  }
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : node_of(table_))
    found.emplace_back(key.source().begin, std::string(key.str()));
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [position, name] : found) names.push_back(std::move(name));
  return names;
}

bool TomlTable::has(std::string_view key) const { return node_of(table_).contains(key); }
bool TomlTable::is_table(std::string_view key) const { return node_of(table_)[key].is_table(); }
bool TomlTable::is_array(std::string_view key) const { return node_of(table_)[key].is_array(); }
bool TomlTable::is_text(std::string_view key) const { return node_of(table_)[key].is_string(); }

std::string TomlTable::text(std::string_view key) const {
  const toml::node& node = required(*this, table_, key);
  const auto* text = node.as_string();
  if (text == nullptr) refuse_type(*file_, node, joined(path_, key), "text in quotes", Takes::text);
  return text->get();
}

bool TomlTable::truth(std::string_view key) const {
  const toml::node& node = required(*this, table_, key);
  const auto* value = node.as_boolean();
  if (value == nullptr) refuse_type(*file_, node, joined(path_, key), "true or false", Takes::other);
  return value->get();
}

std::int64_t TomlTable::integer(std::string_view key) const {
  const toml::node& node = required(*this, table_, key);
  const auto* whole = node.as_integer();
  if (whole == nullptr) refuse_type(*file_, node, joined(path_, key), "a whole number", Takes::whole_numbers);
  return whole->get();
}

Rational TomlTable::decimal(std::string_view key) const {
  return decimal_of(*file_, required(*this, table_, key), joined(path_, key));
}

TomlTable TomlTable::table(std::string_view key) const {
  const toml::node& node = required(*this, table_, key);
  const toml::table* table = node.as_table();
  if (table == nullptr)
    refuse_type(*file_, node, joined(path_, key), "a table, { ... } or [section]", Takes::other);
  return {table, file_, joined(path_, key)};
}

std::vector<std::string> TomlTable::texts(std::string_view key) const {
  std::vector<std::string> out;
  for (const toml::node& node : array_of(*this, table_, *file_, joined(path_, key), key, 0)) {
    const auto* text = node.as_string();
    if (text == nullptr)
      refuse_type(*file_, node, joined(path_, key), "a list of texts in quotes", Takes::text);
    out.push_back(text->get());
  }
  return out;
}

std::vector<std::int64_t> TomlTable::integers(std::string_view key, std::size_t count) const {
  std::vector<std::int64_t> out;
  for (const toml::node& node : array_of(*this, table_, *file_, joined(path_, key), key, count)) {
    const auto* whole = node.as_integer();
    if (whole == nullptr)
      refuse_type(*file_, node, joined(path_, key), "a list of whole numbers", Takes::whole_numbers);
    out.push_back(whole->get());
  }
  return out;
}

std::vector<Rational> TomlTable::decimals(std::string_view key, std::size_t count) const {
  std::vector<Rational> out;
  for (const toml::node& node : array_of(*this, table_, *file_, joined(path_, key), key, count)) {
    out.push_back(decimal_of(*file_, node, joined(path_, key)));
  }
  return out;
}

std::vector<Rational> TomlTable::decimal_rows(std::string_view key, std::size_t rows,
                                              std::size_t width) const {
  std::vector<Rational> out;
  const std::string path = joined(path_, key);
  for (const toml::node& row : array_of(*this, table_, *file_, path, key, rows)) {
    const toml::array* numbers = row.as_array();
    if (numbers == nullptr || numbers->size() != width) {
      refuse_type(*file_, row, path,
                  "a list of " + std::to_string(rows) + " lists of " + std::to_string(width) + " numbers",
                  Takes::other);
    }
    for (const toml::node& number : *numbers) out.push_back(decimal_of(*file_, number, path));
  }
  return out;
}

std::vector<std::vector<std::string>> TomlTable::text_rows(std::string_view key, std::size_t width) const {
  const toml::node& node = required(*this, table_, key);
  const std::string path = joined(path_, key);
  const std::string wanted =
      "a list of lists of " + (width == 0 ? "" : std::to_string(width) + " ") + "texts in quotes";
  const toml::array* rows = node.as_array();
  if (rows == nullptr) refuse_type(*file_, node, path, wanted, Takes::other);
  std::vector<std::vector<std::string>> out;
  for (const toml::node& row : *rows) {
    const toml::array* texts = row.as_array();
    if (texts == nullptr || (width != 0 && texts->size() != width) ||
        (!texts->empty() && !texts->is_homogeneous(toml::node_type::string)))
      refuse_type(*file_, row, path, wanted, Takes::other);
    out.emplace_back();
    for (const toml::node& text : *texts) out.back().push_back(text.as_string()->get());
  }
  return out;
}

TomlDocument::TomlDocument(std::string_view text, std::string_view file_name) {
  auto parsed = std::make_unique<Parsed>();
  parsed->file = std::string(file_name);
  check_toml_form(text, file_name);
  try {
    parsed->root = toml::parse(text);
  } catch (const ParserFault&) {
    throw Error(ErrorCode::study_syntax,
                {from_option(file_name), ": not valid TOML: a key or value is malformed"});
  } catch (const toml::parse_error& error) {
    refuse_at(ErrorCode::study_syntax, parsed->file, error.source(),
              {"not valid TOML: ", quote(error.description(), 200)});
  }
  parsed_ = std::move(parsed);
}

TomlDocument::~TomlDocument() = default;

TomlTable TomlDocument::root() const { return {&parsed_->root, &parsed_->file, ""}; }

void TomlDocument::refuse(const StudyError& error) const {
  const toml::node* node = &parsed_->root;
  toml::source_region place = node->source();
  for (const std::string& key : error.place().keys) {
    const toml::table* table = node->as_table();
    const toml::node* next = table == nullptr ? nullptr : table->get(key);
    if (next == nullptr) break;
    node = next;
    if (node->source().begin.line != 0) place = node->source();
  }
  const toml::array* list = node->as_array();
  if (list != nullptr && error.place().item && *error.place().item < list->size())
    place = list->get(*error.place().item)->source();
  refuse_at(error.code(), parsed_->file, place, {quote(error.what(), 500)});
}

void TomlDocument::place(const Error& error, const TomlTable& table, std::string_view key) const {
  const std::string_view text = error.what();
  if (text.substr(0, parsed_->file.size() + 1) == parsed_->file + ":") throw error;
  const toml::table& node = node_of(table.table_);
  const toml::node* at = key.empty() ? nullptr : node.get(key);
  refuse_at(error.code(), parsed_->file, at == nullptr ? node.source() : at->source(), {quote(text, 500)});
}

}  // namespace postern::model
