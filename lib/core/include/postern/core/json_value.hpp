#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"

namespace postern {

struct JsonValue;
struct JsonMember;
struct JsonNull {};
/// A whole number as its decimal text, of any size. There are no other numbers: documents have no floats.
struct JsonInteger {
  std::string digits;
};
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  ///< in the order read or made; the printer sorts

/// A tree of JSON without floats.
struct JsonValue {
  std::variant<JsonNull, bool, JsonInteger, std::string, JsonArray, JsonObject> data;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

[[nodiscard]] inline JsonValue json_text(std::string_view text) { return {std::string(text)}; }
[[nodiscard]] inline JsonValue json_array(JsonArray items) { return {std::move(items)}; }
[[nodiscard]] inline JsonValue json_object(JsonObject members) { return {std::move(members)}; }
/// A bare number up to 2^53, which every JSON reader keeps exact; text past it.
[[nodiscard]] JsonValue json_integer(Int128 value);
/// Always text: "37/1000", "5".
[[nodiscard]] JsonValue json_rational(const Rational& value);
[[nodiscard]] JsonValue json_texts(const std::vector<std::string>& items);
[[nodiscard]] JsonValue json_rationals(const std::vector<Rational>& items);

/// Adds the members of `extra`; where both hold an object under one key, joins these.
void merge_members(JsonObject& object, const JsonObject& extra);

/// Canonical text: keys in code point order, no insignificant space, the shortest escapes (only quotes,
/// backslashes and control characters are escaped: by one letter where JSON has one, else by four digits in
/// lower case). One tree has one text.
[[nodiscard]] std::string to_canonical(const JsonValue& value);

}  // namespace postern
