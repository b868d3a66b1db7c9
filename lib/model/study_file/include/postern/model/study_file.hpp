#pragma once

#include <string>
#include <string_view>

#include "postern/model/study.hpp"

namespace postern::model {

/// Reads study.toml. Every refusal names the file, line and column, and what to write instead.
[[nodiscard]] Study parse_study(std::string_view text, std::string_view file_name);
[[nodiscard]] Study load_study(const std::string& path);

}  // namespace postern::model
