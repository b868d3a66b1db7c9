#include "table_files.hpp"

#include <algorithm>
#include <filesystem>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_strange_file(const fs::path& path) {
  throw Error(ErrorCode::input_unreadable,
              {"'", from_option(path.string()),
               "' lies among the records, but its suffix tells no format (.parquet, .arrow); move it away, "
               "or name the format with --format"});
}

/// Hidden files, and the notes that Spark and others leave beside their tables.
bool is_passed_over(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name.starts_with("_");
}

std::vector<TableFile> files_in(const std::string& folder, std::optional<TableFormat> format) {
  std::vector<TableFile> files;
  std::error_code failure;
  fs::recursive_directory_iterator place(folder, failure);
  for (; !failure && place != fs::recursive_directory_iterator(); place.increment(failure)) {
    const fs::path& path = place->path();
    std::error_code unknown;
    if (is_passed_over(path)) {
      if (place->is_directory(unknown)) place.disable_recursion_pending();
    } else if (!place->is_directory(unknown)) {
      const auto known = format ? format : table_format(path.string());
      if (!known) refuse_strange_file(path);
      files.push_back({path.string(), *known});
    }
  }
  if (failure)
    throw Error(ErrorCode::input_unreadable, {"the folder '", from_option(folder), "' cannot be read"});
  if (files.empty()) {
    throw Error(ErrorCode::input_unreadable,
                {"the folder '", from_option(folder), "' holds no Parquet or Arrow files"});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

}  // namespace

std::vector<TableFile> list_tables(const std::string& path, std::optional<TableFormat> format) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) {
    throw Error(ErrorCode::input_missing,
                {"there is no file '", from_option(path), "'; check the path of the records"});
  }
  if (status.type() == fs::file_type::directory) return files_in(path, format);
  const auto known = format ? format : table_format(path);
  if (!known) refuse_strange_file(path);
  return {{path, *known}};
}

}  // namespace postern::owner
