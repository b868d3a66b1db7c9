#include "arrow_ids.hpp"

#include <cmath>
#include <cstring>

#include "arrow_real.hpp"
#include "arrow_spell.hpp"

namespace postern::owner {
namespace {

using Kind = ArrowType::Kind;

// Numbers of 256 bits with 128 places, and floats without an exponent, are shorter.
constexpr std::size_t kLongest = 352;

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

}  // namespace

std::uint64_t index_at(const ArrowRows& rows, std::size_t row) { return widened(rows, row); }

std::optional<ArrowIds> ArrowIds::look_at(const ArrowArray* array, const ArrowType& type, std::int64_t begin,
                                          std::int64_t count) {
  const auto rows = owner::look_at(array, type, begin, count);
  if (!rows) return std::nullopt;
  ArrowIds ids{*rows, {}};
  if (type.kind != Kind::look_up || count == 0) return ids;
  if (array->dictionary == nullptr) return std::nullopt;
  ids.dictionary = owner::look_at(array->dictionary, *type.values, 0, array->dictionary->length);
  if (!ids.dictionary) return std::nullopt;
  return ids;
}

IdBlock::IdBlock() : ids_(kRows), spelled_(kRows * kLongest) {}

std::span<PersonId> IdBlock::collect(const ArrowIds& ids, std::size_t begin, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t row = begin + i;
    const bool there = ids.rows.type.kind != Kind::none && ids.rows.valid(row);
    const ArrowRows& values = ids.dictionary ? *ids.dictionary : ids.rows;
    if (there && ids.dictionary) row = static_cast<std::size_t>(index_at(ids.rows, row));
    const bool found = there && row < values.count && values.type.kind != Kind::none && values.valid(row);
    ids_[i] = found ? id_of(values, row, i) : PersonId();
  }
  return std::span(ids_).first(count);
}

PersonId IdBlock::keep(std::string_view text, std::size_t place) {
  char* const memory = spelled_.data() + place * kLongest;
  std::memcpy(memory, text.data(), text.size());
  return PersonId({memory, text.size()});
}

PersonId IdBlock::id_of(const ArrowRows& rows, std::size_t row, std::size_t place) {
  Speller speller;
  switch (rows.type.kind) {
    case Kind::boolean:
      return PersonId((rows.values[(rows.first + row) / 8] >> ((rows.first + row) % 8) & 1) != 0 ? "true"
                                                                                                 : "false");
    case Kind::whole:
      if (rows.type.has_sign)
        return keep(speller.spell(static_cast<std::int64_t>(widened(rows, row))), place);
      return keep(speller.spell(widened(rows, row)), place);
    case Kind::decimal:
      return id_of_decimal(rows, row, place);
    case Kind::real:
      return id_of_real(rows, row, place);
    case Kind::text: {
      const auto text =
          rows.type.bits == 32 ? text_of<std::int32_t>(rows, row) : text_of<std::int64_t>(rows, row);
      return text ? PersonId(*text) : PersonId();
    }
    case Kind::views: {
      const auto text = view_text(rows, row);
      return text ? PersonId(*text) : PersonId();
    }
    case Kind::none:
    case Kind::look_up:
      break;
  }
  return {};
}

PersonId IdBlock::id_of_decimal(const ArrowRows& rows, std::size_t row, std::size_t place) {
  Speller speller;
  if (rows.type.bits <= 64)
    return keep(speller.spell(static_cast<std::int64_t>(widened(rows, row)), rows.type.scale), place);
  const std::size_t count = static_cast<std::size_t>(rows.type.bits) / 64;
  std::uint64_t words[4] = {};
  std::memcpy(words, rows.values + (rows.first + row) * count * sizeof words[0], count * sizeof words[0]);
  return keep(speller.spell(std::span<const std::uint64_t>(words, count), rows.type.scale), place);
}

PersonId IdBlock::id_of_real(const ArrowRows& rows, std::size_t row, std::size_t place) {
  const double value = rows.type.bits == 64   ? rows.value<double>(row)
                       : rows.type.bits == 32 ? double{rows.value<float>(row)}
                                              : double{widen_half(rows.value<std::uint16_t>(row))};
  Speller speller;
  return std::isnan(value) ? PersonId() : keep(speller.spell(value), place);
}

}  // namespace postern::owner
