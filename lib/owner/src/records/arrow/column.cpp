#include "column.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "spell.hpp"

namespace postern::owner {
namespace {

using Kind = ArrowType::Kind;

const ArrowType& value_type(const ArrowType& type) {
  return type.kind == Kind::look_up ? *type.values : type;
}

/// Calls use(T{}) with the integer type of an array.
template <class Use>
void with_integer(const ArrowType& type, Use use) {
  switch (type.bits) {
    case 8:
      return type.has_sign ? use(std::int8_t{}) : use(std::uint8_t{});
    case 16:
      return type.has_sign ? use(std::int16_t{}) : use(std::uint16_t{});
    case 32:
      return type.has_sign ? use(std::int32_t{}) : use(std::uint32_t{});
    default:
      return type.has_sign ? use(std::int64_t{}) : use(std::uint64_t{});
  }
}

template <class Level, class Code>
void fill(std::size_t begin, std::size_t count, Level* codes, Code code) {
  for (std::size_t i = 0; i < count; ++i) codes[i] = static_cast<Level>(code(begin + i));
}

template <class Integer>
std::uint32_t code_of(const WholeCodes& wholes, Integer value) {
  if constexpr (std::is_same_v<Integer, std::uint64_t>) {
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return wholes.code_by_text(value);
  }
  return wholes.code(static_cast<std::int64_t>(value));
}

template <std::size_t Words>
struct WideInteger {
  std::uint64_t words[Words];
};

template <std::size_t Words>
std::uint32_t code_of(const WholeCodes& wholes, const WideInteger<Words>& value) {
  const std::uint64_t sign = static_cast<std::int64_t>(value.words[0]) < 0 ? ~std::uint64_t{0} : 0;
  if (std::all_of(value.words + 1, value.words + Words, [&](std::uint64_t word) { return word == sign; }))
    return wholes.code(static_cast<std::int64_t>(value.words[0]));
  return wholes.code_by_text(value.words);
}

template <class Number>
void fill_numbers(const WholeCodes& wholes, const ArrowRows& rows, std::size_t begin, std::size_t count,
                  std::uint32_t* codes) {
  fill(begin, count, codes, [&](std::size_t i) { return code_of(wholes, rows.value<Number>(i)); });
}

void fill_wholes(const WholeCodes& wholes, const ArrowRows& rows, std::size_t begin, std::size_t count,
                 std::uint32_t* codes) {
  if (rows.type.bits == 128) return fill_numbers<WideInteger<2>>(wholes, rows, begin, count, codes);
  if (rows.type.bits == 256) return fill_numbers<WideInteger<4>>(wholes, rows, begin, count, codes);
  with_integer(rows.type,
               [&](auto zero) { fill_numbers<decltype(zero)>(wholes, rows, begin, count, codes); });
}

template <class Offset>
void fill_texts(const TextCodes& texts, const ArrowRows& rows, std::size_t begin, std::size_t count,
                std::uint32_t* codes) {
  fill(begin, count, codes, [&](std::size_t i) {
    const auto text = text_of<Offset>(rows, i);
    if (!text) return texts.missing();
    const bool roomy =
        static_cast<std::uint64_t>(text->data() - rows.text) + TextKey::kWhole <= rows.text_size;
    return texts.code(roomy ? TextKey::of_roomy(*text) : TextKey::of(*text), *text);
  });
}

void fill_views(const TextCodes& texts, const ArrowRows& rows, std::size_t begin, std::size_t count,
                std::uint32_t* codes) {
  fill(begin, count, codes, [&](std::size_t i) {
    // Read from where it lies: a copy that is read back in other pieces would stall.
    const char* const view = rows.values + (rows.first + i) * sizeof(TextView);
    std::uint32_t size = 0;
    std::memcpy(&size, view, sizeof size);
    if (size > TextView::kShort) {
      const auto text = text_of(rows, rows.value<TextView>(i));
      return text ? texts.code(*text) : texts.missing();
    }
    const char* const bytes = view + offsetof(TextView, bytes);
    std::uint32_t tail = 0;  // a part of key.tail, written there by itself, would stall too
    std::memcpy(&tail, bytes + TextKey::kWord, sizeof tail);
    TextKey key{0, tail, size};
    std::memcpy(&key.head, bytes, TextKey::kWord);
    key.cut();
    return texts.code(key, {bytes, size});
  });
}

/// The codes of some indices. As long as all of a block are below the power of two that the codes are filled
/// up to, as they are in a sound table, none of them is compared by itself.
template <class Index, class Level>
void look_up(const std::vector<std::uint32_t>& codes, std::uint32_t missing, const char* indices,
             std::size_t count, Level* levels) {
  constexpr std::size_t kBlock = 1024;
  const std::vector<Level> known(codes.begin(), codes.end());
  const Level* const table = known.data();
  const std::size_t size = known.size();
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    Index block[kBlock];
    const std::size_t now = std::min(kBlock, count - begin);
    std::memcpy(block, indices + begin * sizeof(Index), now * sizeof(Index));
    using Place = std::make_unsigned_t<Index>;
    constexpr auto kMost = static_cast<Place>(std::numeric_limits<Index>::max());  // past it: negative
    Place all = 0;
    for (std::size_t i = 0; i < now; ++i) all |= static_cast<Place>(block[i]);
    Level* const out = levels + begin;
    if (all < size && all <= kMost) {
      for (std::size_t i = 0; i < now; ++i) out[i] = table[static_cast<Place>(block[i])];
    } else {
      fill(0, now, out, [&](std::size_t i) {
        const auto place = static_cast<Place>(block[i]);
        return place < size && place <= kMost ? codes[place] : missing;
      });
    }
  }
}

}  // namespace

std::optional<std::pair<std::string, std::string>> truth_labels(const model::Column& column) {
  if (!std::holds_alternative<model::Categories>(column.values)) return std::pair{"0", "1"};
  constexpr std::pair<const char*, const char*> kPairs[] = {
      {"false", "true"}, {"False", "True"}, {"FALSE", "TRUE"}, {"0", "1"}, {"no", "yes"}};
  for (const auto& [no, yes] : kPairs) {
    if (column.find_level(no) && column.find_level(yes)) return std::pair{no, yes};
  }
  return std::nullopt;
}

ArrowColumn::ArrowColumn(const model::Column& column, const ArrowType& type)
    : encoder_(std::make_unique<const model::Encoder>(column)), type_(type) {
  const ArrowType& values = value_type(type);
  const bool categories = std::holds_alternative<model::Categories>(column.values);
  if (const auto labels = truth_labels(column)) {
    truth_codes_[0] = encoder_->encode(model::Field(labels->first));
    truth_codes_[1] = encoder_->encode(model::Field(labels->second));
  }
  if (values.kind == Kind::whole || values.kind == Kind::decimal)
    wholes_.emplace(column, *encoder_, values.scale);
  if (values.kind == Kind::real && !categories) reals_.emplace(column, *encoder_);
  if (values.kind == Kind::text || values.kind == Kind::views) texts_.emplace(column, *encoder_);
}

std::optional<ArrowColumn::Prepared> ArrowColumn::prepare(const ArrowArray* array, std::int64_t begin,
                                                          std::int64_t count) const {
  const auto rows = look_at(array, type_, begin, count);
  if (!rows) return std::nullopt;
  Prepared prepared{*rows, {}, {}};
  if (type_.kind != Kind::look_up || count == 0) return prepared;
  if (array->dictionary == nullptr) return std::nullopt;
  prepared.dictionary = look_at(array->dictionary, *type_.values, 0, array->dictionary->length);
  if (!prepared.dictionary) return std::nullopt;
  if (prepared.dictionary->count > rows->count) return prepared;
  prepared.dictionary_codes.resize(std::bit_ceil(prepared.dictionary->count), encoder_->missing());
  encode_values(*prepared.dictionary, 0, prepared.dictionary->count, prepared.dictionary_codes.data());
  return prepared;
}

void ArrowColumn::encode(const Prepared& prepared, std::size_t begin, std::size_t count,
                         std::uint32_t* codes) const {
  if (type_.kind != Kind::look_up) return encode_values(prepared.rows, begin, count, codes);
  encode_look_ups(prepared, begin, count, codes);
  set_missing(prepared.rows, begin, count, codes);
}

template <class Level>
bool ArrowColumn::look_up_levels(const Prepared& prepared, std::size_t begin, std::size_t count,
                                 Level* levels) const {
  if (type_.kind != Kind::look_up || encoder_->may_drop() || prepared.dictionary_codes.empty()) return false;
  const ArrowRows& rows = prepared.rows;
  const std::uint32_t missing = encoder_->missing();
  with_integer(type_, [&](auto zero) {
    using Index = decltype(zero);
    const char* const indices = rows.values + (rows.first + begin) * sizeof(Index);
    look_up<Index>(prepared.dictionary_codes, missing, indices, count, levels);
  });
  if (rows.validity == nullptr) return true;
  for (std::size_t i = 0; i < count; ++i)
    levels[i] = rows.valid(begin + i) ? levels[i] : static_cast<Level>(missing);
  return true;
}
template bool ArrowColumn::look_up_levels(const Prepared&, std::size_t, std::size_t, std::uint8_t*) const;
template bool ArrowColumn::look_up_levels(const Prepared&, std::size_t, std::size_t, std::uint16_t*) const;
template bool ArrowColumn::look_up_levels(const Prepared&, std::size_t, std::size_t, std::uint32_t*) const;

void ArrowColumn::encode_look_ups(const Prepared& prepared, std::size_t begin, std::size_t count,
                                  std::uint32_t* codes) const {
  const ArrowRows& rows = prepared.rows;
  const std::size_t size = prepared.dictionary->count;
  const std::uint32_t missing = encoder_->missing();
  const bool by_code = !prepared.dictionary_codes.empty();
  with_integer(type_, [&](auto zero) {
    using Index = decltype(zero);
    // A negative index is one past every dictionary.
    const auto index_of = [&](std::size_t i) { return static_cast<std::uint64_t>(rows.value<Index>(i)); };
    if (by_code) {
      const std::uint32_t* const known = prepared.dictionary_codes.data();
      return fill(begin, count, codes, [=](std::size_t i) {
        const std::uint64_t index = index_of(i);
        return index < size ? known[index] : missing;
      });
    }
    fill(begin, count, codes, [&](std::size_t i) {
      std::uint32_t code = missing;
      if (index_of(i) < size) encode_values(*prepared.dictionary, index_of(i), 1, &code);
      return code;
    });
  });
}

void ArrowColumn::encode_values(const ArrowRows& rows, std::size_t begin, std::size_t count,
                                std::uint32_t* codes) const {
  switch (rows.type.kind) {
    case Kind::boolean:
      fill(begin, count, codes, [&](std::size_t i) {
        const std::size_t at = rows.first + i;
        return truth_codes_[static_cast<unsigned char>(rows.values[at / 8]) >> (at % 8) & 1];
      });
      break;
    case Kind::whole:
    case Kind::decimal:
      fill_wholes(*wholes_, rows, begin, count, codes);
      break;
    case Kind::real:
      encode_reals(rows, begin, count, codes);
      break;
    case Kind::text:
      if (rows.type.bits == 32) {
        fill_texts<std::int32_t>(*texts_, rows, begin, count, codes);
      } else {
        fill_texts<std::int64_t>(*texts_, rows, begin, count, codes);
      }
      break;
    case Kind::views:
      fill_views(*texts_, rows, begin, count, codes);
      break;
    case Kind::none:
    case Kind::look_up:
      std::fill_n(codes, count, encoder_->missing());
      break;
  }
  set_missing(rows, begin, count, codes);
}

std::uint32_t ArrowColumn::code_of_real(double value) const {
  if (reals_) return reals_->code(value);
  if (std::isnan(value)) return encoder_->missing();
  Speller speller;
  return encoder_->encode(model::Field(speller.spell(value)));
}

void ArrowColumn::encode_reals(const ArrowRows& rows, std::size_t begin, std::size_t count,
                               std::uint32_t* codes) const {
  if (rows.type.bits == 64) {
    fill(begin, count, codes, [&](std::size_t i) { return code_of_real(rows.value<double>(i)); });
  } else if (rows.type.bits == 32) {
    fill(begin, count, codes, [&](std::size_t i) { return code_of_real(double{rows.value<float>(i)}); });
  } else {
    fill(begin, count, codes,
         [&](std::size_t i) { return code_of_real(double{widen_half(rows.value<std::uint16_t>(i))}); });
  }
}

void ArrowColumn::set_missing(const ArrowRows& rows, std::size_t begin, std::size_t count,
                              std::uint32_t* codes) const {
  if (rows.validity == nullptr) return;
  const std::uint32_t missing = encoder_->missing();
  for (std::size_t i = 0; i < count; ++i) codes[i] = rows.valid(begin + i) ? codes[i] : missing;
}

}  // namespace postern::owner
