#include "postern/core/json_value.hpp"

#include <algorithm>

namespace postern {

JsonValue json_integer(Int128 value) {
  constexpr Int128 kExact = Int128{1} << 53;
  std::string digits = to_string(value);
  if (value < -kExact || value > kExact) return {std::move(digits)};
  return {JsonInteger{std::move(digits)}};
}

JsonValue json_rational(const Rational& value) { return {to_fraction(value)}; }

JsonValue json_texts(const std::vector<std::string>& items) {
  JsonArray out;
  out.reserve(items.size());
  for (const std::string& item : items) out.push_back(json_text(item));
  return json_array(std::move(out));
}

JsonValue json_rationals(const std::vector<Rational>& items) {
  JsonArray out;
  out.reserve(items.size());
  for (const Rational& item : items) out.push_back(json_rational(item));
  return json_array(std::move(out));
}

void merge_members(JsonObject& object, const JsonObject& extra) {
  const std::size_t known = object.size();  // `extra` has no key twice, so only these can meet its keys
  for (const JsonMember& member : extra) {
    const auto end = object.begin() + static_cast<std::ptrdiff_t>(known);
    const auto found =
        std::find_if(object.begin(), end, [&](const JsonMember& m) { return m.key == member.key; });
    if (found == end) {
      object.push_back(member);
      continue;
    }
    auto* inside = std::get_if<JsonObject>(&found->value.data);
    const auto* more = std::get_if<JsonObject>(&member.value.data);
    if (inside != nullptr && more != nullptr) merge_members(*inside, *more);
  }
}

}  // namespace postern
