#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "type.hpp"

namespace postern::owner {

/// The rows of one array, checked as far as the interface allows: every read below stays inside memory that
/// the array's own numbers promise. Row i is row first + i of the buffers.
struct ArrowRows {
  ArrowType type;
  std::size_t count = 0;
  std::size_t first = 0;
  const std::uint8_t* validity = nullptr;  ///< null: every row is valid
  const char* values = nullptr;            ///< numbers, bits, offsets or views
  const char* text = nullptr;              ///< of offsets
  std::uint64_t text_size = 0;             ///< what the last offset promises
  const void* const* parts = nullptr;      ///< the texts of views
  const std::int64_t* part_sizes = nullptr;
  std::size_t part_count = 0;

  [[nodiscard]] bool valid(std::size_t i) const {
    return validity == nullptr || (validity[(first + i) / 8] >> ((first + i) % 8) & 1) != 0;
  }
  template <class T>
  [[nodiscard]] T value(std::size_t i) const {
    T out;
    std::memcpy(&out, values + (first + i) * sizeof(T), sizeof(T));
    return out;
  }
};

/// Rows [begin, begin + count) of an array, or nothing if it breaks the interface.
[[nodiscard]] std::optional<ArrowRows> look_at(const ArrowArray* array, const ArrowType& type,
                                               std::int64_t begin, std::int64_t count);

/// Whether an array's own numbers make sense, so that they can be added and multiplied.
[[nodiscard]] bool has_sane_extent(const ArrowArray& array);

/// The text of one row of offsets; nothing if its offsets do not lie in order inside the text.
template <class Offset>
[[nodiscard]] inline std::optional<std::string_view> text_of(const ArrowRows& rows, std::size_t i) {
  const auto begin = static_cast<std::uint64_t>(rows.value<Offset>(i));
  const auto end = static_cast<std::uint64_t>(rows.value<Offset>(i + 1));
  if (begin > end || end > rows.text_size) return std::nullopt;
  return std::string_view(rows.text + begin, end - begin);
}

/// The sixteen bytes of a view: a short text itself, or the first bytes of a longer one and where it is.
struct TextView {
  static constexpr std::uint32_t kShort = 12;
  std::uint32_t size;
  char bytes[kShort];

  [[nodiscard]] std::uint32_t part() const { return number_at(4); }
  [[nodiscard]] std::uint32_t begin() const { return number_at(8); }

 private:
  [[nodiscard]] std::uint32_t number_at(std::size_t place) const {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes + place, sizeof number);
    return number;
  }
};
static_assert(sizeof(TextView) == 16);

/// The text of one row of views, which may lie in `view`; nothing if it does not lie inside its part.
[[nodiscard]] inline std::optional<std::string_view> text_of(const ArrowRows& rows, const TextView& view) {
  if (view.size <= TextView::kShort) return std::string_view(view.bytes, view.size);
  const std::uint32_t part = view.part();
  if (part >= rows.part_count || rows.parts[part] == nullptr || rows.part_sizes[part] < 0)
    return std::nullopt;
  const std::uint64_t end = std::uint64_t{view.begin()} + view.size;
  if (end > static_cast<std::uint64_t>(rows.part_sizes[part])) return std::nullopt;
  return std::string_view(static_cast<const char*>(rows.parts[part]) + view.begin(), view.size);
}

}  // namespace postern::owner
