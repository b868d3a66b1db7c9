#pragma once

#include <string>
#include <string_view>

namespace postern::model {

/// A letter, digit, '-' or '_': what a TOML key may have without quotes.
[[nodiscard]] bool is_bare(char c);
/// A TOML basic string.
[[nodiscard]] std::string toml_text(std::string_view text);
[[nodiscard]] std::string toml_key(const std::string& name);
/// What a drafted study begins with, up to its columns. `source`: "from the names of columns alone".
[[nodiscard]] std::string draft_head(const std::string& name, const std::string& source);

}  // namespace postern::model
