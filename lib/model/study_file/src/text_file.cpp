#include "text_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "postern/core/error.hpp"

namespace postern::model {

std::string read_text_file(const std::string& path) {
  constexpr std::uintmax_t kMaxBytes = 16u << 20;
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status))
    throw Error(ErrorCode::input_missing, {"there is no file '", from_option(path), "'"});
  if (!std::filesystem::is_regular_file(status) || std::filesystem::file_size(path, failure) > kMaxBytes) {
    throw Error(ErrorCode::input_unreadable,
                {"'", from_option(path), "' is not a regular file of at most 16 MiB"});
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) {
    throw Error(ErrorCode::input_unreadable,
                {"'", from_option(path), "' cannot be read; check its permissions"});
  }
  return bytes.str();
}

}  // namespace postern::model
