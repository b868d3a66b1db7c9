#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// n as the released totals alone have it: p(n) times the probability that a table's noise adds up to what
/// its values add up to less n, for every table of which all cells were released. What the tables' cells say
/// of n besides, by the shape that their prior takes them to have, is cut off.
class NetworkTotal {
 public:
  /// Nothing where n is known, where values were rounded, clipped or held back, where there are several
  /// record sets, or where no table tells a total.
  [[nodiscard]] static std::optional<NetworkTotal> make(const NetworkProblem& problem);

  /// n at a place on the line of a standard normal variable: the same quantile.
  [[nodiscard]] std::int64_t at(double normal) const;
  /// A chain of such places, near the one before; the standard normal law is invariant.
  [[nodiscard]] static double next(double normal, Rng& rng);

 private:
  std::int64_t lo_ = 0;
  std::vector<double> up_to_;  ///< P(n <= lo + i)
};

}  // namespace postern::infer
