#pragma once

#include <cstdint>
#include <vector>

#include "postern/assess/bounds/clipped_count.hpp"

namespace postern::assess {

/// Weights of the integers from `from` on.
struct Stretch {
  std::int64_t from = 0;
  std::vector<double> weight;
  [[nodiscard]] std::int64_t to() const { return from + static_cast<std::int64_t>(weight.size()) - 1; }
  /// 0 outside.
  [[nodiscard]] double at(std::int64_t s) const {
    return s < from || s > to() ? 0 : weight[static_cast<std::size_t>(s - from)];
  }
};

/// The pmf of a clipped count where it matters: what is left out has a probability below 2 e^-60.
[[nodiscard]] Stretch pmf_stretch(const ClippedCount& cell);

/// The law of the sum: `weights` convolved with the pmf of an independent clipped count. That pmf is two
/// atoms and two geometric runs, so a recursion does it in time of order of the length.
[[nodiscard]] Stretch add_clipped_count(const Stretch& weights, const ClippedCount& cell);

}  // namespace postern::assess
