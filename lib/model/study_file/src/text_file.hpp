#pragma once

#include <string>

namespace postern::model {

/// All of a regular file of at most 16 MiB. Fails: input_missing, input_unreadable.
[[nodiscard]] std::string read_text_file(const std::string& path);

}  // namespace postern::model
