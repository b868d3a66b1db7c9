#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace postern::infer {

/// The noise that a posterior implies, held against the law that it was drawn from: released value less what
/// a draw says is behind it (docs/implied-noise.md).
struct ImpliedNoise {
  /// A released block of numbers.
  struct Block {
    std::string what;        ///< "table of smoker x cancer"
    std::size_t values = 0;  ///< numbers in it
    /// P(noise as large as the posterior says it was), large as a whole and large in sum, averaged over
    /// draws.
    double size = 1;
    double sum = 1;
    double deviations = 0;  ///< of the sum of the noise, in standard deviations, at the posterior mean
    std::string worst;      ///< the part of the block with the least chance: "smoker = yes"; empty: all of it
    /// A bound on the chance that any part of any block looks so strange, if prior and noise are as stated.
    double chance = 1;
    bool by_sum = false;          ///< it is the sum of the noise that is strange, not its size
    double worst_deviations = 0;  ///< as `deviations`, of the worst part
  };
  std::vector<Block> blocks;
  std::size_t tests = 0;
  double chance = 1;  ///< the least of the blocks'

  [[nodiscard]] bool implausible() const { return chance < kAlarm; }
  static constexpr double kAlarm = 1e-3;  ///< of each of the two ways of looking
};

}  // namespace postern::infer
