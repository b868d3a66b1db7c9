#pragma once

#include <cstdint>

#include "postern/owner/digits.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

// Lengths of the first two levels of a lazy comparison. The short build makes every level run often, for
// tests.
#ifdef POSTERN_SHORT_PREFIX
inline constexpr unsigned kFirstBits = 4;
inline constexpr unsigned kSecondBits = 2;
#else
inline constexpr unsigned kFirstBits = 16;
inline constexpr unsigned kSecondBits = 48;
#endif
inline constexpr unsigned kNextBits = 192;

/// U < p for a uniform U of which the first `known` binary digits are already drawn and equal those of p.
[[nodiscard]] bool continue_below(const CertifiedProbability& p, unsigned known, Entropy& entropy);

/// Exact Bernoulli(p): compares a uniform U with p digit by digit and stops at the first difference. The
/// first level is kept apart so that samplers can compare many of them at once.
class LazyBernoulli {
 public:
  explicit LazyBernoulli(CertifiedProbability p);
  /// The first kFirstBits digits of p.
  [[nodiscard]] std::uint16_t first() const { return first_; }
  /// U < p, given that the first level was drawn and equals first().
  [[nodiscard]] bool resolve(Entropy& entropy) const;
  [[nodiscard]] bool draw(Entropy& entropy) const;

 private:
  CertifiedProbability p_;
  std::uint16_t first_ = 0;
  std::uint64_t second_ = 0;
};

}  // namespace postern::owner
