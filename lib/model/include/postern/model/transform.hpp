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

/// How the whole numbers of an integer column come about: they are what the law draws, or what a law of real
/// numbers draws, rounded half up: x stands for x - 1/2 to x + 1/2.
enum class Wholes { drawn, rounded };

}  // namespace postern::model
