#pragma once

#include <string>
#include <string_view>

namespace postern {

/// `text` as a JSON string, in quotes, with as few escapes as JSON allows.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace postern
