#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/json_value.hpp"

namespace postern::release {

/// Refuses the member at path `where`; every such message ends with what the reader of it can do.
[[nodiscard]] Error refusal(ErrorCode code, std::string_view where, Piece what);
[[noreturn]] void refuse(ErrorCode code, std::string_view where, Piece what);
[[noreturn]] void malformed(std::string_view where, Piece what);
[[noreturn]] void inconsistent(std::string_view where, Piece what);

// A value of the stated type, or release_malformed (release_limit where only its size is at fault).
[[nodiscard]] const std::string& as_text(const JsonValue& value, std::string_view where);
[[nodiscard]] bool as_boolean(const JsonValue& value, std::string_view where);
[[nodiscard]] const JsonArray& as_array(const JsonValue& value, std::string_view where);
/// A bare number up to 2^53, text past it, and in no other way.
[[nodiscard]] Int128 as_integer(const JsonValue& value, std::string_view where);
[[nodiscard]] std::int64_t as_integer_in(const JsonValue& value, std::string_view where, std::int64_t lo,
                                         std::int64_t hi);
[[nodiscard]] Rational as_rational(const JsonValue& value, std::string_view where);
[[nodiscard]] std::vector<std::string> as_texts(const JsonValue& value, std::string_view where);
[[nodiscard]] std::vector<Rational> as_rationals(const JsonValue& value, std::string_view where);
/// Lower-case hexadecimal digits, exactly `size` of them.
[[nodiscard]] const std::string& as_hex(const JsonValue& value, std::string_view where, std::size_t size);

/// Reads an object member by member and remembers which were asked for.
class ObjectReader {
 public:
  ObjectReader(const JsonValue& value, std::string where);
  [[nodiscard]] const JsonValue& at(std::string_view key);
  [[nodiscard]] const JsonValue* find(std::string_view key);
  [[nodiscard]] std::string path(std::string_view key) const;
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] const std::string& text(std::string_view key) { return as_text(at(key), path(key)); }
  /// Refuses unless the member is exactly this text.
  void expect_text(std::string_view key, std::string_view wanted);
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t lo, std::int64_t hi);
  [[nodiscard]] Rational rational(std::string_view key) { return as_rational(at(key), path(key)); }
  [[nodiscard]] ObjectReader object(std::string_view key) { return {at(key), path(key)}; }
  /// For objects that must be understood whole: refuses members nobody asked for.
  void refuse_rest() const;
  /// For other objects: the members nobody asked for.
  [[nodiscard]] JsonObject rest() const;

 private:
  const JsonObject* members_;
  std::vector<bool> asked_;
  std::string where_;
};

/// Refuses a document whose `version` is past the newest that is known.
void expect_version(ObjectReader& top, int newest);

}  // namespace postern::release
