#pragma once

#include <optional>
#include <string>
#include <vector>

#include "postern/owner/arrow_files.hpp"

namespace postern::owner {

struct TableFile {
  std::string path;
  TableFormat format;
};

/// The file itself, or the tables of a folder and its subfolders in the order of their names: at least one.
/// Throws input_missing, input_unreadable.
[[nodiscard]] std::vector<TableFile> list_tables(const std::string& path, std::optional<TableFormat> format);

}  // namespace postern::owner
