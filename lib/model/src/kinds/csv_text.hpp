#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace postern::model {

/// The fields of a small public CSV file that a study names, line by line. Spaces around a field do not
/// count, and lines of nothing are left out. A field in double quotes may hold commas, and a quote by two.
[[nodiscard]] std::vector<std::vector<std::string>> csv_lines(std::string_view text);

}  // namespace postern::model
