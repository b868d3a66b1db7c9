#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace postern {

/// Statistics and noisy values. A schema check keeps every true statistic below 2^96, so no sum can overflow
/// for a reason that depends on data.
__extension__ typedef __int128 Int128;            // NOLINT(modernize-use-using)
__extension__ typedef unsigned __int128 Uint128;  // NOLINT(modernize-use-using)

[[nodiscard]] std::string to_string(Int128 value);
/// Canonical decimal only: optional '-', no leading zeros, no "-0". Nothing on any other text or on overflow.
[[nodiscard]] std::optional<Int128> parse_int128(std::string_view text);

}  // namespace postern
