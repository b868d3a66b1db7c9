#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::owner {

/// What the inner loop of the discrete Laplace sampler reads and writes. Row r of group g is the sixteen
/// lanes at (g * rows + r) * 16, with rows = digits + 3: digits of |x|-1, tail, zero, sign (see
/// laplace_digits.hpp).
struct LaplaceFold {
  const std::uint16_t* lanes = nullptr;
  std::size_t groups = 0;
  const std::int16_t* thresholds = nullptr;  ///< of the digits, the tail and zero; see biased_threshold
  std::size_t digits = 0;                    ///< at most 61
  std::uint64_t* magnitude = nullptr;        ///< sixteen per group
  std::uint64_t* negative = nullptr;         ///< all ones or zero
  std::uint8_t* tied = nullptr;  ///< one per group: some lane equals its threshold, the draws need care
};

/// Lanes are compared as signed numbers (one instruction on every x86): lane and threshold are both moved by
/// 2^15.
[[nodiscard]] std::int16_t biased_threshold(std::uint16_t first_level);
[[nodiscard]] std::int16_t biased_lane(std::uint16_t lane);

/// The same function compiled for several instruction sets. No branch depends on a lane.
enum class FoldVariant { portable, avx2 };
[[nodiscard]] bool runs_here(FoldVariant variant);
[[nodiscard]] FoldVariant fastest_variant();
void fold(FoldVariant variant, const LaplaceFold& work);

}  // namespace postern::owner
