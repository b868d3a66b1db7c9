#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "postern/core/rational.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Exact draw of i with P(i) ~ exp(scale * score_i), integer scores (exponential_mechanism.md).
/// Set-up time depends on the scores; drawing time on the index drawn alone.
class ExponentialSampler {
 public:
  /// Fails: bad_value without candidates or with a negative scale.
  ExponentialSampler(std::span<const std::int64_t> scores, const Rational& scale);
  ExponentialSampler(ExponentialSampler&&) noexcept;
  ~ExponentialSampler();
  [[nodiscard]] std::size_t draw(Entropy& entropy) const;
  /// Independent draws.
  void draw(std::span<std::size_t> out, Entropy& entropy) const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace postern::owner
