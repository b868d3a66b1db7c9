#pragma once

#include "postern/core/rational.hpp"

namespace postern::model {

/// t(x): what a family sums in place of x. Increasing on the column's range.
struct Transform {
  enum class Kind { identity, log, power };
  Kind kind = Kind::identity;
  Rational exponent = 1;  ///< of a power, positive

  [[nodiscard]] double operator()(double x) const;
};

}  // namespace postern::model
