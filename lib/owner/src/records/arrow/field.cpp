#include "field.hpp"

#include <cmath>
#include <cstring>

#include "real.hpp"

namespace postern::owner {
namespace {

using Kind = ArrowType::Kind;

std::uint64_t widened(const ArrowRows& rows, std::size_t row) {
  switch (rows.type.bits) {
    case 8:
      return rows.type.has_sign ? static_cast<std::uint64_t>(std::int64_t{rows.value<std::int8_t>(row)})
                                : rows.value<std::uint8_t>(row);
    case 16:
      return rows.type.has_sign ? static_cast<std::uint64_t>(std::int64_t{rows.value<std::int16_t>(row)})
                                : rows.value<std::uint16_t>(row);
    case 32:
      return rows.type.has_sign ? static_cast<std::uint64_t>(std::int64_t{rows.value<std::int32_t>(row)})
                                : rows.value<std::uint32_t>(row);
    default:
      return rows.value<std::uint64_t>(row);
  }
}

/// A short view's text lies in the view itself.
std::optional<std::string_view> view_text(const ArrowRows& rows, std::size_t row) {
  const auto view = rows.value<TextView>(row);
  if (view.size > TextView::kShort) return text_of(rows, view);
  return std::string_view(rows.values + (rows.first + row) * sizeof view + offsetof(TextView, bytes),
                          view.size);
}

std::string_view decimal_text(const ArrowRows& rows, std::size_t row, Speller& speller) {
  if (rows.type.bits <= 64)
    return speller.spell(static_cast<std::int64_t>(widened(rows, row)), rows.type.scale);
  const std::size_t count = static_cast<std::size_t>(rows.type.bits) / 64;
  std::uint64_t words[4] = {};
  std::memcpy(words, rows.values + (rows.first + row) * count * sizeof words[0], count * sizeof words[0]);
  return speller.spell(std::span<const std::uint64_t>(words, count), rows.type.scale);
}

std::optional<std::string_view> real_text(const ArrowRows& rows, std::size_t row, Speller& speller) {
  const double value = rows.type.bits == 64   ? rows.value<double>(row)
                       : rows.type.bits == 32 ? double{rows.value<float>(row)}
                                              : double{widen_half(rows.value<std::uint16_t>(row))};
  if (std::isnan(value)) return std::nullopt;
  return speller.spell(value);
}

std::optional<std::string_view> value_text(const ArrowRows& rows, std::size_t row, Speller& speller) {
  switch (rows.type.kind) {
    case Kind::boolean:
      return (rows.values[(rows.first + row) / 8] >> ((rows.first + row) % 8) & 1) != 0 ? "true" : "false";
    case Kind::whole:
      if (rows.type.has_sign) return speller.spell(static_cast<std::int64_t>(widened(rows, row)));
      return speller.spell(widened(rows, row));
    case Kind::decimal:
      return decimal_text(rows, row, speller);
    case Kind::real:
      return real_text(rows, row, speller);
    case Kind::text:
      return rows.type.bits == 32 ? text_of<std::int32_t>(rows, row) : text_of<std::int64_t>(rows, row);
    case Kind::views:
      return view_text(rows, row);
    case Kind::none:
    case Kind::look_up:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ArrowFields> ArrowFields::look_at(const ArrowArray* array, const ArrowType& type,
                                                std::int64_t begin, std::int64_t count) {
  const auto rows = owner::look_at(array, type, begin, count);
  if (!rows) return std::nullopt;
  ArrowFields fields{*rows, {}};
  if (type.kind != Kind::look_up || count == 0) return fields;
  if (array->dictionary == nullptr) return std::nullopt;
  fields.dictionary = owner::look_at(array->dictionary, *type.values, 0, array->dictionary->length);
  if (!fields.dictionary) return std::nullopt;
  return fields;
}

std::optional<std::string_view> ArrowFields::text(std::size_t row, Speller& speller) const {
  if (rows.type.kind == Kind::none || !rows.valid(row)) return std::nullopt;
  const ArrowRows& values = dictionary ? *dictionary : rows;
  // A negative index is one past every dictionary.
  if (dictionary) row = static_cast<std::size_t>(widened(rows, row));
  if (row >= values.count || values.type.kind == Kind::none || !values.valid(row)) return std::nullopt;
  return value_text(values, row, speller);
}

}  // namespace postern::owner
