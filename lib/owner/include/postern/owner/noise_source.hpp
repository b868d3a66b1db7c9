#pragma once

#include <span>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/owner/charge.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Draws exactly the noise written in the token's plan, once. What is added to a statistic is drawn in one
/// batch, before any statistic is touched; a choice among candidates needs their scores. lib/owner/gate is
/// its only caller.
class NoiseSource {
 public:
  NoiseSource(ChargeToken&& token, Entropy& entropy);
  /// One vector per block of the plan, empty where the block is a choice. Once.
  [[nodiscard]] std::vector<std::vector<Int128>> draw();
  /// The index of the candidate that block chooses. Once a block, after draw().
  [[nodiscard]] Int128 choose(std::size_t block, std::span<const Int128> scores);
  [[nodiscard]] const ChargeToken& token() const { return token_; }

 private:
  ChargeToken token_;
  Entropy& entropy_;
  bool drawn_ = false;
  std::vector<bool> chosen_;
};

}  // namespace postern::owner
