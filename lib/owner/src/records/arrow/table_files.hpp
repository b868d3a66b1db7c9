#pragma once

#include <optional>
#include <string>
#include <vector>

#include "postern/owner/records_format.hpp"

namespace postern::owner {

struct TableFile {
  std::string path;
  TableFormat format;
};

/// The file itself, or those of a folder and its subfolders in the order of their names; names that begin
/// with a dot or an underscore are passed over. Throws input_missing, and input_unreadable where a suffix
/// tells no format and none is given.
[[nodiscard]] std::vector<TableFile> list_tables(const std::string& path, std::optional<TableFormat> format);

}  // namespace postern::owner
