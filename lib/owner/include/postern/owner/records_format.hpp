#pragma once

#include <optional>
#include <string>

namespace postern::owner {

/// Formats that the plugin reads.
enum class TableFormat { parquet, ipc };
/// By a file's suffix: .parquet, .pq; .arrow, .arrows, .feather, .ipc. Nothing for any other.
[[nodiscard]] std::optional<TableFormat> table_format(const std::string& path);

/// How records are to be read: as CSV, or as tables (of the formats that their suffixes tell, if none is
/// set).
struct RecordsFormat {
  bool csv = true;
  std::optional<TableFormat> table;
  char delimiter = ',';  ///< of CSV
};
/// `named` is csv, parquet or arrow. Without it the suffix decides; any other than those of table_format is
/// CSV, and a folder holds tables. `delimiter` is that of parse_delimiter. Throws bad_option for another
/// name, and for a delimiter of what is not CSV.
[[nodiscard]] RecordsFormat records_format(const std::string& path, const std::optional<std::string>& named,
                                           const std::optional<std::string>& delimiter = std::nullopt);

}  // namespace postern::owner
