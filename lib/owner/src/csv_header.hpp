#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "csv_lines.hpp"

namespace postern::owner {

/// Reads the first line of a file as column names (trimmed, unquoted; a byte-order mark is passed over).
/// Throws no_header. The header is public: its names may be shown.
[[nodiscard]] std::vector<std::string> take_header(LineFeed& feed, const std::string& path);

/// Where a declared column is. Throws column_absent, column_repeated.
[[nodiscard]] std::size_t find_column(const std::vector<std::string>& header, const std::string& name,
                                      const std::string& path);

}  // namespace postern::owner
