#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace postern::owner {

[[nodiscard]] bool is_utf8(std::string_view text);

/// Cuts one line into its fields. A field that begins with a quote ends with one, "" inside it is a quote,
/// and it holds no line end; a quote elsewhere is an ordinary byte. Nothing if a quote is open or something
/// follows a closing quote. Doubled quotes are undone in place. @pre no '\n' in the line.
[[nodiscard]] bool split_line(char* begin, char* end, char delimiter, std::vector<std::string_view>& fields);

}  // namespace postern::owner
