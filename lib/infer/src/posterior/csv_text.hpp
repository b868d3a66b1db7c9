#pragma once

#include <string>
#include <string_view>

namespace postern::infer {

/// Shortest text that reads back as the same double.
[[nodiscard]] std::string csv_number(double value);
/// Text in CSV quotes.
[[nodiscard]] std::string csv_quoted(std::string_view text);
/// The same, without quotes where none are needed.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace postern::infer
