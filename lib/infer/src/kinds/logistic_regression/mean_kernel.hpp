#pragma once

#include <cstddef>

namespace postern::infer {

/// Points of -1..1 in blocks of kPoints, each block column by column; the last is filled up with zeros.
struct PointBlocks {
  static constexpr std::size_t kPoints = 256;
  const double* x = nullptr;
  std::size_t blocks = 0;
  std::size_t columns = 0;
};

/// out[j] = sum over all points of logistic(theta . x) x_j.
/// Accuracy: probabilities to 2e-9. Points of zeros add nothing.
using LogisticSums = void (*)(const PointBlocks& points, const double* theta, double* out);

/// The fastest one that this processor can run. All give the same numbers.
[[nodiscard]] LogisticSums logistic_sums();
/// For any processor.
[[nodiscard]] LogisticSums plain_logistic_sums();
/// For AVX2, or null in a build without it.
[[nodiscard]] LogisticSums avx2_logistic_sums();

}  // namespace postern::infer
