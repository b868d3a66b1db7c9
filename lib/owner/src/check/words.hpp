#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "postern/model/column.hpp"
#include "postern/owner/check.hpp"

#include "check/slip.hpp"

namespace postern::owner {

/// Reasons why a line of a CSV file is no record that can be read.
enum class BrokenLine : std::uint8_t { empty, not_utf8, open_quote, semicolons, too_many, too_few, no_text };
inline constexpr std::size_t kBrokenLines = 7;

// What the look says of mistakes and their mends. Declared values may be named, since the study is public;
// what a record holds may not.

/// `example`: a declared value that was meant.
[[nodiscard]] CheckRemark slip_remark(Slip slip, std::int64_t fields,
                                      const std::optional<std::string>& example, bool numbers);
[[nodiscard]] CheckRemark spaced_remark(std::int64_t fields);
[[nodiscard]] CheckRemark line_remark(BrokenLine fault, std::int64_t lines);
/// What becomes of a field: `count as "no"`, `are clamped to the nearest bound`.
[[nodiscard]] std::string policy_words(const model::Column& column, const model::Policy& policy);

/// In double quotes, with everything escaped that a terminal would obey or a reader would not see.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace postern::owner
