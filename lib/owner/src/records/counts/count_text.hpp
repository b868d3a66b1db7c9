#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace postern::owner {

/// The largest count, and the largest total of counts: the most records that a release may speak of.
inline constexpr std::int64_t kMostCounted = 1'000'000'000'000;

/// A count in any usual spelling of a whole number from 0 to kMostCounted: digits, a sign, a fraction of
/// zeros, an exponent, thousands set apart by commas, apostrophes or spaces, blanks around it. Nothing for
/// anything else. Whether a spelling is accepted never depends on the number that it spells.
[[nodiscard]] std::optional<std::int64_t> parse_count(std::string_view text);

}  // namespace postern::owner
