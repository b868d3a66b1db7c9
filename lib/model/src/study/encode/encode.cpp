#include "postern/model/encode.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/mutant.hpp"

#include "study/encode/category.hpp"
#include "study/encode/integer.hpp"
#include "study/encode/real.hpp"

namespace postern::model {
namespace {

using LevelMap = std::variant<CategoryMap, IntegerMap, RealMap>;

LevelMap make_map(const Categories& values) { return CategoryMap(values); }
LevelMap make_map(const IntegerRange& values) { return IntegerMap(values); }
LevelMap make_map(const RealRange& values) { return RealMap(values); }

/// What a policy makes of a field whose nearest declared level is `nearest`.
std::uint32_t follow(const Policy& policy, std::uint32_t nearest) {
  if (std::holds_alternative<Drop>(policy)) return kDropped;
  if (const auto* map = std::get_if<MapTo>(&policy)) return map->level;
  return nearest;
}

bool is_nan(std::string_view text) {
  return text.size() == 3 && (text[0] | 32) == 'n' && (text[1] | 32) == 'a' && (text[2] | 32) == 'n';
}

/// The reason behind a find: missing fields that hold something are unreadable.
FieldKind kind_of(std::uint32_t found, std::string_view text) {
  switch (found) {
    case kMissing:
      return trim(text).empty() || is_nan(trim(text)) ? FieldKind::missing : FieldKind::unreadable;
    case kBelow:
      return FieldKind::below;
    case kAbove:
      return FieldKind::above;
    case kUnlisted:
      return FieldKind::undeclared;
    default:
      return FieldKind::declared;
  }
}

const Column& checked(const Column& column) {
  check_column(column);
  return column;
}

}  // namespace

struct Encoder::Tables {
  explicit Tables(const Column& column)
      : map(std::visit([](const auto& values) { return make_map(values); }, column.values)),
        levels(column.levels()),
        missing(follow(column.missing, 0)),
        below(follow(column.outside, 0)),
        above(follow(column.outside, levels - 1)) {
    // Mutant 11: the categories are those of the data, so a value that was not declared has no cell to go to.
    if (mutant(11) && std::holds_alternative<CategoryMap>(map)) above = kDropped;
  }
  [[nodiscard]] std::uint32_t settle(std::uint32_t found) const {
    if (found < kNoLevel) return found;
    return found == kMissing ? missing : (found == kBelow ? below : above);
  }

  LevelMap map;
  std::uint32_t levels;
  std::uint32_t missing;
  std::uint32_t below;
  std::uint32_t above;  // also for a category that was not declared
};

Encoder::Encoder(const Column& column) : tables_(std::make_unique<const Tables>(checked(column))) {}
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;
Encoder::~Encoder() = default;

std::uint32_t Encoder::missing() const { return tables_->missing; }
std::uint32_t Encoder::levels() const { return tables_->levels; }

bool Encoder::may_drop() const {
  return std::max({tables_->missing, tables_->below, tables_->above}) == kDropped || mutant(9);
}

std::uint32_t Encoder::encode(Field field) const {
  return std::visit([&](const auto& map) { return tables_->settle(map.locate(field.bytes_)); }, tables_->map);
}

Diagnosis Encoder::diagnose(Field field) const {
  const std::uint32_t found =
      std::visit([&](const auto& map) { return map.locate(field.bytes_); }, tables_->map);
  return {kind_of(found, field.bytes_), tables_->settle(found)};
}

template <class Level>
void Encoder::encode(const FieldBlock& block, std::size_t field, Level* levels, std::uint8_t* copies) const {
  const Tables& tables = *tables_;
  const auto settle = [&tables, copies](std::uint32_t found, std::size_t i) {
    const std::uint32_t level = tables.settle(found);
    if (level == kDropped) copies[i] = 0;
    // Mutant 9: a cleaned copy is added beside a record out of range, and the raw one is used as well.
    if (mutant(9) && (found == kBelow || found == kAbove)) copies[i] = 2;
    return level == kDropped ? 0 : level;
  };
  const std::uint32_t* const ends = block.ends_.data() + field;
  const std::uint32_t* const firsts = block.firsts_.data();
  const std::uint32_t* const starts = block.starts_.data();
  const char* const base = block.text_;
  const auto encode_all = [=, count = block.records()](const auto& map, auto begin_of) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = begin_of(i);
      const char* text = base + begin;
      const std::size_t quoted = *text == '"' ? 1 : 0;
      const std::size_t size = ends[firsts[i]] - begin - 2 * quoted;
      std::uint32_t found = map.locate(text + quoted, size);
      if (found >= kNoLevel) found = settle(found, i);
      levels[i] = static_cast<Level>(found);
    }
  };
  const auto encode_with = [&](const auto& map) {
    if (field == 0) return encode_all(map, [=](std::size_t i) -> std::size_t { return starts[i]; });
    encode_all(map, [=](std::size_t i) -> std::size_t { return ends[std::ptrdiff_t{firsts[i]} - 1] + 1; });
  };
  std::visit([&](const auto& map) { map.with_fast(encode_with); }, tables.map);
}

template void Encoder::encode(const FieldBlock&, std::size_t, std::uint8_t*, std::uint8_t*) const;
template void Encoder::encode(const FieldBlock&, std::size_t, std::uint16_t*, std::uint8_t*) const;
template void Encoder::encode(const FieldBlock&, std::size_t, std::uint32_t*, std::uint8_t*) const;

}  // namespace postern::model
