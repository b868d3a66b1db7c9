#include "folder_files.hpp"

#include <fstream>

namespace postern::infer {

namespace fs = std::filesystem;

Error no_posterior(const fs::path& folder, Piece what) {
  return Error(ErrorCode::input_unreadable,
               {"'", from_option(folder.string()), "' is no posterior that can be read: ", what});
}

Error not_together(const fs::path& folder) {
  return no_posterior(folder, "its files do not belong together");
}

std::string read_regular(const fs::path& path, std::size_t limit) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  const Quotation name = from_option(path.string());
  if (!fs::exists(status)) throw Error(ErrorCode::input_missing, {"there is no file '", name, "'"});
  if (!fs::is_regular_file(status))
    throw Error(ErrorCode::input_unreadable, {"'", name, "' is not a regular file"});
  const std::uintmax_t size = fs::file_size(path, failure);
  if (failure || size > limit)
    throw Error(ErrorCode::input_unreadable, {"'", name, "' is larger than such a file can be"});
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw Error(ErrorCode::input_unreadable, {"'", name, "' cannot be read"});
  return bytes;
}

std::optional<std::string> read_if_there(const fs::path& path, std::size_t limit) {
  std::error_code failure;
  if (!fs::exists(fs::symlink_status(path, failure))) return std::nullopt;
  return read_regular(path, limit);
}

}  // namespace postern::infer
