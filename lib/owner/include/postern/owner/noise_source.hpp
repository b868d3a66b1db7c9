#pragma once

#include <span>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/owner/charge.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// The noise of one plan: what is added to its statistics, drawn, and the choices it holds, still to be made.
class DrawnNoise {
 public:
  /// One vector per block of the plan, empty where the block is a choice.
  [[nodiscard]] const std::vector<std::vector<Int128>>& added() const { return added_; }
  /// The index of the candidate that block chooses by its scores. Once a block.
  [[nodiscard]] Int128 choose(std::size_t block, std::span<const Int128> scores);

 private:
  friend class NoiseSource;
  DrawnNoise(ChargeToken&& token, Entropy& entropy);
  ChargeToken token_;
  Entropy& entropy_;
  std::vector<std::vector<Int128>> added_;
  std::vector<bool> chosen_;
};

/// Draws exactly the noise written in the token's plan, once, in one batch, before any statistic is touched.
/// lib/owner/gate is its only caller.
class NoiseSource {
 public:
  NoiseSource(ChargeToken&& token, Entropy& entropy);
  /// Consumes the source.
  [[nodiscard]] DrawnNoise draw() &&;
  [[nodiscard]] const ChargeToken& token() const { return token_; }

 private:
  ChargeToken token_;
  Entropy& entropy_;
};

}  // namespace postern::owner
