#pragma once

#include <cstdint>
#include <string_view>

namespace postern::model {

/// What a field turns out to be: a level, or one of these, which a policy then settles.
inline constexpr std::uint32_t kMissing = 0xFFFFFFFE;   ///< empty or unreadable
inline constexpr std::uint32_t kBelow = 0xFFFFFFFD;     ///< a number under the lower bound
inline constexpr std::uint32_t kAbove = 0xFFFFFFFC;     ///< a number over the upper bound
inline constexpr std::uint32_t kUnlisted = 0xFFFFFFFB;  ///< text that is no declared category
inline constexpr std::uint32_t kNoLevel = 0xFFFFFFF0;   ///< every level is smaller than this

/// What text that is no number is for a column of numbers: infinity lies outside, the rest is missing.
[[nodiscard]] std::uint32_t locate_word(std::string_view text);

/// Without the spaces and tabs around it.
[[nodiscard]] std::string_view trim(std::string_view text);

}  // namespace postern::model
