#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::release {

// What the reader of a hostile document allows. Privacy-core 6, and the ranges in which laws and engines are
// tested.

inline constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxDepth = 16;
inline constexpr std::size_t kMaxText = std::size_t{1} << 20;
inline constexpr std::size_t kMaxTokens = 10'000'000;  ///< values, keys, brackets and separators
inline constexpr std::size_t kMaxDigits = 60;          ///< of an integer, a numerator or a denominator
inline constexpr std::size_t kMaxColumns = 10'000;
inline constexpr std::size_t kMaxBlocks = 4'096;
inline constexpr std::int64_t kMaxRecords = 1'000'000'000'000;
inline constexpr int kValueBits = 100;  ///< |value| < 2^100

}  // namespace postern::release
