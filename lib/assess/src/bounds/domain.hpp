#pragma once

#include <cmath>

#include "postern/core/error.hpp"

namespace postern::assess {

inline void check_probability(double delta) {
  if (!(delta > 0 && delta < 1))
    throw Error(ErrorCode::usage, {"the probability that a bound fails lies between 0 and 1"});
}

inline void check_positive(double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw Error(ErrorCode::usage, {"a scale, rate or parameter of a bound is positive and finite"});
}

inline void check_not_negative(double value) {
  if (!(value >= 0 && std::isfinite(value)))
    throw Error(ErrorCode::usage, {"an increment, distance or gap of a bound is finite and not negative"});
}

}  // namespace postern::assess
