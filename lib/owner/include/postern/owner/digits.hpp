#pragma once

#include "postern/core/rational.hpp"

namespace postern::owner {

/// A probability in (0, 1) given in closed form by a rational x > 0. It is irrational (Lindemann), so each of
/// its binary digits can be decided by bounds of growing precision (digits.md).
struct CertifiedProbability {
  enum class Form {
    exp_minus,  ///< e^-x
    logistic,   ///< 1 / (1 + e^x)
    half_tanh,  ///< tanh(x / 2)
  };
  Form form = Form::exp_minus;
  Rational x;
};

/// floor(p 2^bits), certified: a lower and an upper bound of p agree on it. Never forms e^x for x >= bits +
/// 1, so the cost is bounded by `bits` whatever x is. Used when tables are made and where a table cannot
/// decide, never per draw.
[[nodiscard]] Integer digits(const CertifiedProbability& p, unsigned bits);

}  // namespace postern::owner
