#pragma once

#include <cstdint>

namespace postern::infer {

/// Counts are kept in 64 bits and in doubles, so their sums must be exact in both.
inline constexpr std::int64_t kMostCounted = std::int64_t{1} << 40;

/// n known (replace-one), or latent (add-remove). At most kMostCounted.
struct KnownTotal {
  std::int64_t n = 0;
};
struct LatentTotal {
  std::int64_t at_most = 0;
  double log_slope = 0;  ///< p(n) ~ e^{log_slope n} on 0..at_most; 0 is uniform
};

}  // namespace postern::infer
