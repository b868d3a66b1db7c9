#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"

#include "csv_lines.hpp"

namespace postern::owner {

/// Reads the first line of a file as column names (trimmed, unquoted; a byte-order mark is passed over).
/// Throws no_header.
[[nodiscard]] std::vector<std::string> take_header(LineFeed& feed, const std::string& path);

/// Throws no_header if not one of the declared columns is named: such a line may be a record, so nothing of
/// it may be shown.
void refuse_record_as_header(const std::vector<std::string>& header, const model::Schema& schema,
                             const std::string& path);

/// Where a declared column is; an absent one's nearest name is shown. Throws column_absent, column_repeated.
[[nodiscard]] std::size_t find_column(const std::vector<std::string>& header, const std::string& name,
                                      const std::string& path);

}  // namespace postern::owner
