#include "postern/owner/records_format.hpp"

#include <algorithm>
#include <filesystem>

#include "postern/core/error.hpp"
#include "postern/owner/csv.hpp"

namespace postern::owner {

namespace fs = std::filesystem;

std::optional<TableFormat> table_format(const std::string& path) {
  std::string suffix = fs::path(path).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (suffix == ".parquet" || suffix == ".pq") return TableFormat::parquet;
  if (suffix == ".arrow" || suffix == ".arrows" || suffix == ".feather" || suffix == ".ipc")
    return TableFormat::ipc;
  return std::nullopt;
}

RecordsFormat records_format(const std::string& path, const std::optional<std::string>& named,
                             const std::optional<std::string>& delimiter) {
  if (named && *named != "csv" && *named != "parquet" && *named != "arrow") {
    throw Error(ErrorCode::bad_option,
                {"--format ", from_option(*named), " is not known; there are csv, parquet and arrow"});
  }
  std::error_code unknown;
  const bool folder = !named && fs::is_directory(path, unknown);
  const auto table = !named ? table_format(path)
                     : *named == "csv"
                         ? std::nullopt
                         : std::optional(*named == "parquet" ? TableFormat::parquet : TableFormat::ipc);
  if (path == "-" && table) {
    throw Error(ErrorCode::bad_option,
                {"standard input is read as CSV; give ", from_option(*named), " records as a file"});
  }
  const bool csv = !table && !folder;
  if (delimiter && !csv)
    throw Error(ErrorCode::bad_option,
                {"a delimiter is given, but '", from_option(path), "' is no CSV file"});
  return {csv, folder ? std::nullopt : table, parse_delimiter(delimiter)};
}

}  // namespace postern::owner
