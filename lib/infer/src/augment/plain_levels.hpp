#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::infer {

/// Levels in equal steps that add one more each.
struct PlainLevels {
  double origin = 0;  ///< where the first would begin, were it a whole step
  double per_level = 0;
  double levels = 0;
  double front = 0;  ///< of the column
  double back = 0;
  double doubt = 0;  ///< steps from an edge within which arithmetic is not trusted
  std::int32_t least = 0;
  std::int32_t below = 0;  ///< what records outside add
  std::int32_t above = 0;
};
inline constexpr std::size_t kLevelLanes = 4;

/// What each t adds, by arithmetic; false where one of them is too near to an edge for that. `size` is a
/// multiple of kLevelLanes.
using FindLevels = bool (*)(const PlainLevels& levels, const double* t, std::int32_t* k, std::size_t size);

/// The fastest one that this processor can run. All give the same numbers.
[[nodiscard]] FindLevels find_levels();
/// For any processor.
[[nodiscard]] FindLevels plain_find_levels();
/// For AVX2, or null in a build without it.
[[nodiscard]] FindLevels avx2_find_levels();

}  // namespace postern::infer
