#include "object_reader.hpp"

#include <algorithm>

#include "limits.hpp"

namespace postern::release {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Written as a whole number or a fraction, but with more than `most` digits.
bool is_oversized(std::string_view text, std::size_t most) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  const std::size_t slash = text.find('/');
  const std::string_view top = text.substr(0, slash);
  const std::string_view bottom = slash == std::string_view::npos ? "1" : text.substr(slash + 1);
  return is_digits(top) && is_digits(bottom) && std::max(top.size(), bottom.size()) > most;
}

}  // namespace

Error refusal(ErrorCode code, std::string_view where, Piece what) {
  return {code,
          {"the document's '", from_document(where), "' ", what,
           "; it was edited or not written by postern: get it again from its owner"}};
}
void refuse(ErrorCode code, std::string_view where, Piece what) { throw refusal(code, where, what); }
void malformed(std::string_view where, Piece what) { refuse(ErrorCode::release_malformed, where, what); }
void inconsistent(std::string_view where, Piece what) {
  refuse(ErrorCode::release_inconsistent, where, what);
}

const std::string& as_text(const JsonValue& value, std::string_view where) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) malformed(where, "must be text");
  return *text;
}

bool as_boolean(const JsonValue& value, std::string_view where) {
  const auto* flag = std::get_if<bool>(&value.data);
  if (flag == nullptr) malformed(where, "must be true or false");
  return *flag;
}

const JsonArray& as_array(const JsonValue& value, std::string_view where) {
  const auto* items = std::get_if<JsonArray>(&value.data);
  if (items == nullptr) malformed(where, "must be an array");
  return *items;
}

Int128 as_integer(const JsonValue& value, std::string_view where) {
  const auto* bare = std::get_if<JsonInteger>(&value.data);
  const auto* text = std::get_if<std::string>(&value.data);
  if (bare == nullptr && text == nullptr) malformed(where, "must be a whole number");
  const std::string& digits = bare != nullptr ? bare->digits : *text;
  const auto number = parse_int128(digits);
  constexpr std::size_t kInt128Digits = 38;
  if (!number && is_oversized(digits, kInt128Digits))
    refuse(ErrorCode::release_limit, where, "is a number past every limit");
  if (!number) malformed(where, "must be a whole number");
  constexpr Int128 kExact = Int128{1} << 53;
  const bool small = *number >= -kExact && *number <= kExact;
  if (small != (bare != nullptr)) malformed(where, "must be a bare number up to 2^53 and text past it");
  return *number;
}

std::int64_t as_integer_in(const JsonValue& value, std::string_view where, std::int64_t lo, std::int64_t hi) {
  const Int128 number = as_integer(value, where);
  if (number < lo || number > hi) {
    throw Error(
        ErrorCode::release_limit,
        {"the document's '", from_document(where), "' is ", from_document(to_string(number)), ", outside ",
         public_number(lo), "..", public_number(hi), "; get the document again from its owner"});
  }
  return static_cast<std::int64_t>(number);
}

Rational as_rational(const JsonValue& value, std::string_view where) {
  const std::string& text = as_text(value, where);
  if (is_oversized(text, kMaxDigits)) refuse(ErrorCode::release_limit, where, "is a number past every limit");
  const auto number = parse_fraction(text);
  if (!number) malformed(where, "must be a fraction in lowest terms, such as \"37/1000\" or \"5\"");
  return *number;
}

std::vector<std::string> as_texts(const JsonValue& value, std::string_view where) {
  std::vector<std::string> out;
  for (const JsonValue& item : as_array(value, where)) out.push_back(as_text(item, where));
  return out;
}

std::vector<Rational> as_rationals(const JsonValue& value, std::string_view where) {
  std::vector<Rational> out;
  for (const JsonValue& item : as_array(value, where)) out.push_back(as_rational(item, where));
  return out;
}

const std::string& as_hex(const JsonValue& value, std::string_view where, std::size_t size) {
  const std::string& text = as_text(value, where);
  if (text.size() != size || text.find_first_not_of("0123456789abcdef") != std::string::npos) {
    malformed(where, "must be lower-case hexadecimal digits of the right number");
  }
  return text;
}

ObjectReader::ObjectReader(const JsonValue& value, std::string where)
    : members_(std::get_if<JsonObject>(&value.data)), where_(std::move(where)) {
  if (members_ == nullptr) malformed(where_, "must be an object");
  asked_.resize(members_->size());
}

const JsonValue* ObjectReader::find(std::string_view key) {
  for (std::size_t i = 0; i < members_->size(); ++i) {
    if ((*members_)[i].key != key) continue;
    asked_[i] = true;
    return &(*members_)[i].value;
  }
  return nullptr;
}

const JsonValue& ObjectReader::at(std::string_view key) {
  const JsonValue* value = find(key);
  if (value == nullptr) malformed(path(key), "is missing");
  return *value;
}

std::string ObjectReader::path(std::string_view key) const {
  return where_.empty() ? std::string(key) : where_ + "." + std::string(key);
}

void ObjectReader::expect_text(std::string_view key, std::string_view wanted) {
  if (text(key) == wanted) return;
  throw Error(ErrorCode::release_malformed,
              {"the document's '", from_document(path(key)), "' is '", from_document(text(key)), "', not '",
               from_document(wanted), "'; give a document that `postern release` wrote"});
}

std::int64_t ObjectReader::integer(std::string_view key, std::int64_t lo, std::int64_t hi) {
  return as_integer_in(at(key), path(key), lo, hi);
}

void ObjectReader::refuse_rest() const {
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    if (!asked_[i])
      malformed(path((*members_)[i].key), "is a member this version does not know, where it must know all");
  }
}

JsonObject ObjectReader::rest() const {
  JsonObject out;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    if (!asked_[i]) out.push_back((*members_)[i]);
  }
  return out;
}

void expect_version(ObjectReader& top, int newest) {
  const std::int64_t version = top.integer("version", 1, std::int64_t{1} << 53);
  if (version <= newest) return;
  throw Error(ErrorCode::release_version,
              {"the document is of version ", public_number(version), " and this postern reads version ",
               public_number(newest), "; use a newer postern"});
}

}  // namespace postern::release
