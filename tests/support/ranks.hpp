#pragma once

#include <span>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// The rank of the truth among draws, in [0, 1]; ties are broken at random.
inline double rank_of(double truth, std::span<const double> draws, Rng& rng) {
  double below = 0;
  double equal = 0;
  for (const double x : draws) {
    below += x < truth ? 1 : 0;
    equal += x == truth ? 1 : 0;
  }
  return (below + rng.uniform() * (equal + 1)) / (static_cast<double>(draws.size()) + 1);
}

}  // namespace postern::infer
