#pragma once

#include <array>

#include "postern/core/rng.hpp"

#include "trajectory.hpp"

namespace postern::infer {

/// Metropolis moves of a latent n: once with the moments a record keeps (G / n stays), once with what records
/// add up to kept nearly (L stays but for its first entry).
class SizeMoves {
 public:
  struct Widths {
    std::array<double, 2> log_width{};  ///< of each kind of move
    bool tuning = true;
  };
  /// Widths of about the noise on n.
  [[nodiscard]] static Widths widths(const MomentTarget& target);
  static void sweep(const MomentTarget& target, MomentState& state, Widths& widths, Rng& rng);
};

}  // namespace postern::infer
