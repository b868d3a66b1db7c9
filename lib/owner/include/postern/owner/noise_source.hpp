#pragma once

#include <vector>

#include "postern/core/int128.hpp"
#include "postern/owner/charge.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Draws exactly the noise written in the token's plan, once, in one batch, before any statistic is touched.
/// lib/owner/gate is its only caller.
class NoiseSource {
 public:
  NoiseSource(ChargeToken&& token, Entropy& entropy);
  /// One vector per block of the plan. Consumes the source.
  [[nodiscard]] std::vector<std::vector<Int128>> draw() &&;
  [[nodiscard]] const ChargeToken& token() const { return token_; }

 private:
  ChargeToken token_;
  Entropy& entropy_;
};

}  // namespace postern::owner
