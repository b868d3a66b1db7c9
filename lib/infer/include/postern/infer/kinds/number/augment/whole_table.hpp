#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/number_law.hpp"

namespace postern::infer {

/// Draws of a law on the whole numbers by inversion with a guide table, for one theta at a time: a few
/// nanoseconds each, however slow the law's own draw. What lies beyond the table has a probability below
/// 1e-17 on either side.
class WholeTable {
 public:
  /// Tabulates the law if its bulk is narrow enough to pay for itself in so many draws; says whether it did.
  /// @pre the law lives on 0, 1, ...
  [[nodiscard]] bool fill(const model::NumberLaw& law, const model::Theta& theta, std::size_t draws);

  /// @pre fill
  [[nodiscard]] double draw(Rng& rng) const {
    const double u = rng.uniform();
    std::size_t i = guide_.data()[static_cast<std::size_t>(u * guides_)];
    const double* cdf = cdf_.data();
    while (u >= cdf[i]) ++i;
    return first_ + static_cast<double>(i);
  }

 private:
  double first_ = 0;
  double guides_ = 0;
  std::vector<double> cdf_;           ///< P(X <= first + i); the last is above 1
  std::vector<std::uint16_t> guide_;  ///< the first i whose cdf passes g / guides
};

}  // namespace postern::infer
