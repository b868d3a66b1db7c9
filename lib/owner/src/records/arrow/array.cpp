#include "array.hpp"

namespace postern::owner {
namespace {

using Kind = ArrowType::Kind;

/// Offsets below this can be multiplied by the width of any value.
constexpr std::int64_t kMostRows = std::int64_t{1} << 48;

bool take_offsets(const ArrowArray& array, ArrowRows& rows) {
  rows.text = static_cast<const char*>(array.buffers[2]);
  const std::int64_t last =
      rows.type.bits == 32 ? rows.value<std::int32_t>(rows.count) : rows.value<std::int64_t>(rows.count);
  if (last < 0) return false;
  static constexpr char kNothing = 0;
  if (rows.text == nullptr && last > 0) return false;
  if (rows.text == nullptr) rows.text = &kNothing;
  rows.text_size = static_cast<std::uint64_t>(last);
  return true;
}

bool take_views(const ArrowArray& array, ArrowRows& rows) {
  const auto parts = static_cast<std::size_t>(array.n_buffers - 3);
  rows.parts = array.buffers + 2;
  rows.part_sizes = static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1]);
  rows.part_count = rows.part_sizes == nullptr ? 0 : parts;
  return parts == 0 || rows.part_sizes != nullptr;
}

bool has_right_buffers(const ArrowArray& array, Kind kind) {
  if (kind == Kind::none) return true;
  if (array.buffers == nullptr) return false;
  if (kind == Kind::views) return array.n_buffers >= 3 && array.n_buffers < kMostRows;
  return array.n_buffers == (kind == Kind::text ? 3 : 2);
}

}  // namespace

bool has_sane_extent(const ArrowArray& array) {
  return array.length >= 0 && array.offset >= 0 && array.length < kMostRows && array.offset < kMostRows &&
         array.null_count >= -1 && array.null_count <= array.length;
}

std::optional<ArrowRows> look_at(const ArrowArray* array, const ArrowType& type, std::int64_t begin,
                                 std::int64_t count) {
  if (array == nullptr || !has_sane_extent(*array) || begin + count > array->length) return std::nullopt;
  ArrowRows rows;
  rows.type = type;
  rows.count = static_cast<std::size_t>(count);
  rows.first = static_cast<std::size_t>(array->offset + begin);
  if (rows.count == 0 || type.kind == Kind::none) return rows;
  if (!has_right_buffers(*array, type.kind)) return std::nullopt;
  if (array->null_count != 0) rows.validity = static_cast<const std::uint8_t*>(array->buffers[0]);
  rows.values = static_cast<const char*>(array->buffers[1]);
  if (rows.values == nullptr) return std::nullopt;
  if (type.kind == Kind::text && !take_offsets(*array, rows)) return std::nullopt;
  if (type.kind == Kind::views && !take_views(*array, rows)) return std::nullopt;
  return rows;
}

}  // namespace postern::owner
