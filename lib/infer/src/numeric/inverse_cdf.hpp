#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// Draws an index with probability proportional to its weight, by inversion with a guide table (Chen & Asau
/// 1974): a few steps a draw, however many weights.
class InverseCdf {
 public:
  InverseCdf() = default;
  explicit InverseCdf(std::span<const double> weight);
  [[nodiscard]] bool empty() const { return cdf_.empty(); }
  [[nodiscard]] std::size_t draw(Rng& rng) const;

 private:
  std::vector<double> cdf_;
  std::vector<std::uint32_t> guide_;  ///< the first index whose cdf reaches i / size of the whole
};

}  // namespace postern::infer
