#pragma once

#include "postern/core/rational.hpp"

namespace postern::owner {

// Logarithm and exponential with proven direction: exact rationals, every step rounded outwards. Nothing here
// trusts a floating-point library. Derivation: accounting.md.

/// A rational at most ln x, relatively within 2^-120. @pre x > 0
[[nodiscard]] Rational log_below(const Rational& x);
/// A rational at least ln x. @pre x > 0
[[nodiscard]] Rational log_above(const Rational& x);
/// A rational at least e^-t, relatively within 2^-120. @pre 0 <= t <= 4096
[[nodiscard]] Rational exp_minus_above(const Rational& t);

}  // namespace postern::owner
