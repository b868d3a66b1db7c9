#include "type.hpp"

#include <charconv>
#include <cstring>
#include <string_view>

namespace postern::owner {
namespace {

using Kind = ArrowType::Kind;

std::string_view format_of(const ArrowSchema& column) {
  return column.format == nullptr ? std::string_view() : std::string_view(column.format);
}

/// d:precision,scale[,bits]
std::optional<ArrowType> parse_decimal_type(std::string_view text) {
  int numbers[3] = {0, 0, 128};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [stop, fault] = std::from_chars(at, end, numbers[i]);
    if (fault != std::errc()) return std::nullopt;
    at = stop;
    if (at == end && i >= 1) break;
    if (at == end || *at != ',') return std::nullopt;
    ++at;
  }
  const int bits = numbers[2];
  const bool known = bits == 32 || bits == 64 || bits == 128 || bits == 256;
  constexpr int kMostScale = 128;  // Arrow's own bound is 76
  if (at != end || !known || numbers[1] < -kMostScale || numbers[1] > kMostScale) return std::nullopt;
  return ArrowType{Kind::decimal, bits, true, numbers[1], nullptr};
}

std::optional<ArrowType> parse_plain(std::string_view format) {
  const auto whole = [](int bits, bool has_sign) { return ArrowType{Kind::whole, bits, has_sign, 0, {}}; };
  const auto plain = [](Kind kind, int bits) { return ArrowType{kind, bits, true, 0, {}}; };
  if (format.starts_with("d:")) return parse_decimal_type(format.substr(2));
  if (format == "vu" || format == "vz") return plain(Kind::views, 128);
  if (format.size() != 1) return std::nullopt;
  switch (format[0]) {
    case 'n':
      return plain(Kind::none, 0);
    case 'b':
      return plain(Kind::boolean, 1);
    case 'c':
    case 'C':
      return whole(8, format[0] == 'c');
    case 's':
    case 'S':
      return whole(16, format[0] == 's');
    case 'i':
    case 'I':
      return whole(32, format[0] == 'i');
    case 'l':
    case 'L':
      return whole(64, format[0] == 'l');
    case 'e':
      return plain(Kind::real, 16);
    case 'f':
      return plain(Kind::real, 32);
    case 'g':
      return plain(Kind::real, 64);
    case 'u':
    case 'z':
      return plain(Kind::text, 32);
    case 'U':
    case 'Z':
      return plain(Kind::text, 64);
    default:
      return std::nullopt;
  }
}

/// The value of a key in a schema's metadata: a count, then each key and value behind its length, as 32-bit
/// integers in the machine's order and bytes without an end.
std::optional<std::string_view> find_metadata(const char* at, std::string_view wanted) {
  const auto take_number = [&at] {
    std::int32_t number = 0;
    std::memcpy(&number, at, sizeof number);
    at += sizeof number;
    return number;
  };
  const auto take_text = [&]() -> std::optional<std::string_view> {
    const std::int32_t size = take_number();
    if (size < 0) return std::nullopt;
    const std::string_view text(at, static_cast<std::size_t>(size));
    at += size;
    return text;
  };
  if (at == nullptr) return std::nullopt;
  for (std::int32_t left = take_number(); left > 0; --left) {
    const auto key = take_text();
    const auto value = key ? take_text() : std::nullopt;
    if (!value || *key == wanted) return value;
  }
  return std::nullopt;
}

}  // namespace

bool operator==(const ArrowType& a, const ArrowType& b) {
  const auto same = [](const ArrowType& x, const ArrowType& y) {
    return x.kind == y.kind && x.bits == y.bits && x.has_sign == y.has_sign && x.scale == y.scale;
  };
  if (!same(a, b) || (a.values == nullptr) != (b.values == nullptr)) return false;
  return a.values == nullptr || same(*a.values, *b.values);
}

std::optional<ArrowType> parse_arrow_type(const ArrowSchema& column) {
  auto type = parse_plain(format_of(column));
  if (column.dictionary == nullptr || !type) return type;
  if (type->kind != Kind::whole || column.dictionary->dictionary != nullptr) return std::nullopt;
  auto values = parse_plain(format_of(*column.dictionary));
  if (!values) return std::nullopt;
  type->kind = Kind::look_up;
  type->values = std::make_shared<const ArrowType>(*values);
  return type;
}

std::optional<std::string_view> strange_extension(const ArrowSchema& column) {
  const auto name = find_metadata(column.metadata, "ARROW:extension:name");
  if (name && *name != "arrow.json" && *name != "arrow.bool8") return name;
  return column.dictionary == nullptr ? std::nullopt : strange_extension(*column.dictionary);
}

ForeignType classify_foreign(const ArrowSchema& column) {
  std::string_view format = format_of(column);
  if (column.dictionary != nullptr && column.dictionary->dictionary == nullptr)
    format = format_of(*column.dictionary);
  if (format.starts_with("t")) return ForeignType::time;
  if (format.starts_with("w:")) return ForeignType::binary;
  return format.starts_with("+") ? ForeignType::nested : ForeignType::other;
}

}  // namespace postern::owner
