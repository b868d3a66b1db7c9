#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "array.hpp"
#include "spell.hpp"

namespace postern::owner {

/// The values of one array, with its dictionary if it has one.
struct ArrowFields {
  ArrowRows rows;
  std::optional<ArrowRows> dictionary;

  /// Rows [begin, begin + count) of an array; nothing if it breaks the interface.
  [[nodiscard]] static std::optional<ArrowFields> look_at(const ArrowArray* array, const ArrowType& type,
                                                          std::int64_t begin, std::int64_t count);
  /// What a CSV file would hold of a row: the bytes of a text, the decimal digits of a number, "true" or
  /// "false". Nothing for a null, and for a float that is not a number. It lies in the array, or in the
  /// speller until its next use.
  [[nodiscard]] std::optional<std::string_view> text(std::size_t row, Speller& speller) const;
};

}  // namespace postern::owner
