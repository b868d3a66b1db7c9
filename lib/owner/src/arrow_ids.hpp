#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

#include "arrow_array.hpp"

namespace postern::owner {

/// The ids of one array, with its dictionary if it has one.
struct ArrowIds {
  ArrowRows rows;
  std::optional<ArrowRows> dictionary;

  /// Rows [begin, begin + count) of an array; nothing if it breaks the interface.
  [[nodiscard]] static std::optional<ArrowIds> look_at(const ArrowArray* array, const ArrowType& type,
                                                       std::int64_t begin, std::int64_t count);
};

/// Ids of Arrow values, a block at a time: the bytes of a text, the decimal digits of a number, as a CSV file
/// would have them. A null, and a float that is not a number, is missing. Not for use by two threads at once.
class IdBlock {
 public:
  static constexpr std::size_t kRows = 1024;
  IdBlock();
  /// The ids of some rows; they live until the next call. @pre count <= kRows
  [[nodiscard]] std::span<PersonId> collect(const ArrowIds& ids, std::size_t begin, std::size_t count);

 private:
  [[nodiscard]] PersonId id_of(const ArrowRows& rows, std::size_t row, std::size_t place);
  [[nodiscard]] PersonId id_of_decimal(const ArrowRows& rows, std::size_t row, std::size_t place);
  [[nodiscard]] PersonId id_of_real(const ArrowRows& rows, std::size_t row, std::size_t place);
  [[nodiscard]] PersonId keep(std::string_view text, std::size_t place);

  std::vector<PersonId> ids_;
  Wiped<char> spelled_;  // numbers, each at its place
};

/// The index that a row of a dictionary array holds; a negative one is past every dictionary.
[[nodiscard]] std::uint64_t index_at(const ArrowRows& rows, std::size_t row);

}  // namespace postern::owner
