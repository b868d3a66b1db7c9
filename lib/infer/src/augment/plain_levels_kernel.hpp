#pragma once

#include "plain_levels.hpp"

namespace postern::infer {

using FourPlaces = double __attribute__((vector_size(32)));
using FourSigns = long long __attribute__((vector_size(32)));  ///< all bits where something holds
using FourWholes = int __attribute__((vector_size(16)));
static_assert(sizeof(FourPlaces) == kLevelLanes * sizeof(double));

/// Compiled for the instruction set of the source file that includes this.
[[maybe_unused]] static bool find_four_levels(const PlainLevels& levels, const double* t, std::int32_t* k,
                                              std::size_t size) {
  const FourPlaces none{};
  const FourPlaces last = none + levels.levels;
  FourSigns doubtful{};
  for (std::size_t r = 0; r < size; r += kLevelLanes) {
    FourPlaces at;
    __builtin_memcpy(&at, t + r, sizeof at);
    FourPlaces x = (at - levels.origin) * levels.per_level;
    x = x > none ? x : none;
    x = x < last ? x : last;
    const FourWholes level = __builtin_convertvector(x, FourWholes);
    const FourPlaces part = x - __builtin_convertvector(level, FourPlaces);
    const FourSigns high = at >= levels.back;
    const FourSigns inside = (at >= levels.front) & ~high;
    doubtful |= inside & ~((part > levels.doubt) & (part < 1 - levels.doubt));
    const FourWholes is_high = __builtin_convertvector(high, FourWholes);
    const FourWholes is_inside = __builtin_convertvector(inside, FourWholes);
    const FourWholes adds = (is_inside & (level + levels.least)) | (is_high & levels.above) |
                            (~is_inside & ~is_high & levels.below);
    __builtin_memcpy(k + r, &adds, sizeof adds);
  }
  return (doubtful[0] | doubtful[1] | doubtful[2] | doubtful[3]) == 0;
}

}  // namespace postern::infer
