#pragma once

#include "record_kernels.hpp"

// Compiled for the instruction set of the source file that includes this.

namespace postern::infer {

using FourPlaces = double __attribute__((vector_size(32)));
using FourSigns = long long __attribute__((vector_size(32)));  ///< all bits where something holds
using FourWholes = int __attribute__((vector_size(16)));
static_assert(sizeof(FourPlaces) == RecordKernels::kLanes * sizeof(double));

/// Records outside add what the first and the last level do. Levels are found by rounding what lies half a
/// level lower.
static bool find_closed_levels(const PlainLevels& given, const double* t, std::int32_t* k, std::size_t size) {
  const PlainLevels levels = given;    // what is written cannot change these
  constexpr double kWhole = 0x1.8p52;  // no double of this size has a part behind the point
  const FourPlaces none{};
  const FourPlaces last = none + (levels.levels - 1);
  FourPlaces farthest{};  // from the middle of a level
  for (std::size_t r = 0; r < size; r += RecordKernels::kLanes) {
    FourPlaces x;
    __builtin_memcpy(&x, t + r, sizeof x);
    x = (x - levels.origin) * levels.per_level - 0.5;
    x = x > none ? x : none;
    x = x < last ? x : last;
    const FourPlaces level = (x + kWhole) - kWhole;
    const FourPlaces off = x - level;
    const FourPlaces distance = off < none ? -off : off;
    farthest = distance > farthest ? distance : farthest;
    const FourWholes adds = __builtin_convertvector(level, FourWholes) + levels.least;
    __builtin_memcpy(k + r, &adds, sizeof adds);
  }
  const FourSigns doubtful = farthest >= 0.5 - levels.doubt;
  return (doubtful[0] | doubtful[1] | doubtful[2] | doubtful[3]) == 0;
}

static bool find_open_levels(const PlainLevels& given, const double* t, std::int32_t* k, std::size_t size) {
  const PlainLevels levels = given;
  const FourPlaces none{};
  const FourPlaces last = none + levels.levels;
  FourSigns doubtful{};
  for (std::size_t r = 0; r < size; r += RecordKernels::kLanes) {
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

static bool find_levels(const PlainLevels& levels, const double* t, std::int32_t* k, std::size_t size) {
  const bool closed = levels.below == levels.least && levels.above == levels.least + levels.levels - 1;
  return closed ? find_closed_levels(levels, t, k, size) : find_open_levels(levels, t, k, size);
}

static void map_column(const ColumnMap& given, const double* own, const double* other, double* x,
                       std::size_t size) {
  const ColumnMap map = given;
  const FourPlaces high = FourPlaces{} + map.farthest;
  const FourPlaces low = -high;
  std::size_t r = 0;
  for (; r + RecordKernels::kLanes <= size; r += RecordKernels::kLanes) {
    FourPlaces here;
    FourPlaces there;
    __builtin_memcpy(&here, own + r, sizeof here);
    __builtin_memcpy(&there, other + r, sizeof there);
    FourPlaces at = map.slope * here + map.lean * there + map.shift;
    at = at > low ? at : low;
    at = at < high ? at : high;
    __builtin_memcpy(x + r, &at, sizeof at);
  }
  for (; r < size; ++r) {
    const double at = map.slope * own[r] + map.lean * other[r] + map.shift;
    const double kept = at > -map.farthest ? at : -map.farthest;
    x[r] = kept < map.farthest ? kept : map.farthest;
  }
}

static std::int64_t sum(const std::int32_t* a, std::size_t size) {
  std::int64_t out = 0;
  for (std::size_t r = 0; r < size; ++r) out += a[r];
  return out;
}

static std::int64_t sum_products(const std::int32_t* a, const std::int32_t* b, std::size_t size) {
  std::int64_t out = 0;
  for (std::size_t r = 0; r < size; ++r) out += std::int64_t{a[r]} * b[r];
  return out;
}

static constexpr RecordKernels kRecordKernels{find_levels, map_column, sum, sum_products};

}  // namespace postern::infer
