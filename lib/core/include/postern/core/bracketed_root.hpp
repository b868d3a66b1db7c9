#pragma once

#include <algorithm>

namespace postern {

/// Two places on either side of a root, and what the function is there.
struct Bracket {
  double lo = 0;
  double hi = 0;
  double at_lo = 0;  ///< of the other sign than at_hi, or 0
  double at_hi = 0;
};

/// Where a continuous function is 0, to within `width`: false position that halves the weight of an end which
/// stays (Illinois), and every third time the middle, so that no shape makes it slow.
template <class Function>
double bracketed_root(const Function& f, Bracket bracket, double width) {
  auto [lo, hi, at_lo, at_hi] = bracket;
  int moved = 0;  // the end that moved last: -1, 1
  for (int step = 0; step < 200 && hi - lo > width; ++step) {
    const double share = step % 3 == 2 ? 0.5 : at_lo / (at_lo - at_hi);
    const double x = lo + std::clamp(share, 1e-3, 1 - 1e-3) * (hi - lo);
    const double here = f(x);
    if (here == 0) return x;
    const int moves = (here > 0) == (at_lo > 0) ? -1 : 1;
    (moves < 0 ? lo : hi) = x;
    (moves < 0 ? at_lo : at_hi) = here;
    if (moves == moved) (moves < 0 ? at_hi : at_lo) *= 0.5;
    moved = moves;
  }
  return lo;
}

}  // namespace postern
