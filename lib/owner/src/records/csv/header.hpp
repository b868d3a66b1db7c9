#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/schema.hpp"

#include "lines.hpp"

namespace postern::owner {

/// Reads the first line of a file as column names (trimmed, unquoted; a byte-order mark is passed over).
/// Throws no_header.
[[nodiscard]] std::vector<std::string> take_header(LineFeed& feed, const std::string& path,
                                                   char delimiter = ',');

/// Throws no_header if there is one name alone, and another delimiter would cut it.
void refuse_uncut_header(const std::vector<std::string>& header, const std::string& path);

/// Throws no_header if one of the names is empty, is repeated, or is a usual value, such as a number: such a
/// line may be a record, so nothing of it may be shown.
void refuse_values_as_names(const std::vector<std::string>& header, const std::string& path);

/// Throws no_header if not one of the declared columns is named: such a line may be a record, so nothing of
/// it may be shown.
void refuse_record_as_header(const std::vector<std::string>& header, const model::Schema& schema,
                             const std::string& path);

/// Throws bad_option if the last column is named `count` and is neither declared nor that of people's ids: a
/// table of counts, which would be taken for as many records as it has rows.
void refuse_counts_as_records(const std::vector<std::string>& header, const model::Schema& schema,
                              const std::optional<std::string>& id_column);

/// What the last column of a table of counts is called.
inline constexpr std::string_view kCountColumn = "count";
/// And the one that tells which columns a row of it is counted by, if it is in long form.
inline constexpr std::string_view kBlockColumn = "block";

/// A name that differs in capitals alone.
[[nodiscard]] std::optional<std::string> find_case(const std::vector<std::string>& names,
                                                   std::string_view name);

/// Where a declared column is; an absent one's nearest name is shown. Throws column_absent, column_repeated.
[[nodiscard]] std::size_t find_column(const std::vector<std::string>& header, const std::string& name,
                                      const std::string& path);

}  // namespace postern::owner
