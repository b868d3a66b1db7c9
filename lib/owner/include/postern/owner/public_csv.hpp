#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"

namespace postern::owner {

/// A CSV file of records that are no secret: its text, unpacked, and where its columns are.
struct PublicCsv {
  std::string lines;                ///< all but the header; each ends in '\n'
  std::size_t fields = 0;           ///< in a whole line
  std::vector<std::size_t> places;  ///< of the schema's columns, in their order
};

inline constexpr std::size_t kAbsentColumn = static_cast<std::size_t>(-1);
/// Must all columns be there, or may some be absent (kAbsentColumn is their place)? Without any, there is no
/// header.
enum class PublicColumns { all, some };

/// Throws what CsvFile throws for a file or a header that is none, and input_unreadable past `limit` bytes.
[[nodiscard]] PublicCsv read_public_csv(const std::string& path, const model::Schema& schema, char delimiter,
                                        std::size_t limit, PublicColumns columns = PublicColumns::all);

}  // namespace postern::owner
