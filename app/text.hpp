#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "postern/core/printable.hpp"

namespace postern::app {

// Text for people: widths are terminal columns of UTF-8, not bytes.

[[nodiscard]] std::size_t display_width(std::string_view utf8);
/// At most `width` columns: the head and the tail, with an ellipsis between them where something was cut.
[[nodiscard]] std::string cut_to_width(std::string_view utf8, std::size_t width);
/// Breaks at spaces so that no line passes `width`; lines after the first start with `indent` spaces, and the
/// first is taken to start at column `indent`.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t width, std::size_t indent);
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);

/// Four significant digits, no exponent where a person would write none.
[[nodiscard]] std::string number(double value);
/// "12 MB"
[[nodiscard]] std::string bytes_text(double bytes);
/// "about 0.25 s"
[[nodiscard]] std::string seconds_text(double seconds);
/// "1,234,567"
[[nodiscard]] std::string grouped(long long value);

/// Named facts, one a line, values aligned and wrapped.
using Facts = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string fact_lines(const Facts& facts);

}  // namespace postern::app
