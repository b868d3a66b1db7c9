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

/// One column of records after a move: slope * own + lean * other + shift, none beyond `farthest`.
struct ColumnMap {
  double slope = 1;
  double lean = 0;
  double shift = 0;
  double farthest = 0;
};

/// What is done to many records at once.
struct RecordKernels {
  /// Records that are worked on together.
  static constexpr std::size_t kLanes = 4;

  /// What each t adds, by arithmetic; false where one of them is too near to an edge for that. `size` is a
  /// multiple of kLanes.
  bool (*find_levels)(const PlainLevels& levels, const double* t, std::int32_t* k, std::size_t size);
  void (*map_column)(const ColumnMap& map, const double* own, const double* other, double* x,
                     std::size_t size);
  std::int64_t (*sum)(const std::int32_t* a, std::size_t size);
  /// Of a times b. Exact while it is below 2^63.
  std::int64_t (*sum_products)(const std::int32_t* a, const std::int32_t* b, std::size_t size);
};

/// The fastest ones that this processor can run. All give the same numbers.
[[nodiscard]] const RecordKernels& record_kernels();
/// For any processor.
[[nodiscard]] const RecordKernels& plain_record_kernels();
/// For AVX2, or null in a build without it.
[[nodiscard]] const RecordKernels* avx2_record_kernels();

}  // namespace postern::infer
