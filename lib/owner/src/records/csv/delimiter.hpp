#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/public_text.hpp"

namespace postern::owner {

/// What may stand between fields.
inline constexpr std::string_view kDelimiters = ",;\t|";

/// How the option is spelt that names a delimiter.
[[nodiscard]] Piece delimiter_option(char delimiter);

/// The delimiter other than the one in use that cuts a header line into the most names; nothing if none of
/// them cuts it.
[[nodiscard]] std::optional<char> likelier_delimiter(const std::string& line, char in_use);

}  // namespace postern::owner
