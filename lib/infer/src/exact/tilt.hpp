#pragma once

#include <span>

#include "exact/cell.hpp"
#include "exact/total_weight.hpp"

namespace postern::infer {

/// The tilts under which a tree is built and cut, and the totals that matter.
struct TiltPlan {
  double tilt = 0;          ///< the one the messages carry
  std::int64_t anchor = 0;  ///< the likeliest total, about
  Window totals;            ///< all but a negligible part of the posterior of n
  /// log of the most by which h(n) e^{-tilt n} raises a tail of the product law above its own mass: a part of
  /// P_tilt with mass e^-x holds at most e^(excess - x) of the posterior. About 0 when n is known, or well
  /// seen.
  double excess = 0;
  /// The same for the tilts whose mean total is at either end of `totals`; they cut better when n is vague.
  struct End {
    double tilt = 0;
    double excess = 0;
    bool useful = false;
  };
  End low, high;
};

/// The tilt under which the expected total is `target`, to within a small part of its standard deviation.
[[nodiscard]] double solve_tilt(std::span<const Cell> cells, double target);

/// Totals with less than e^-nats of the posterior are left out.
[[nodiscard]] TiltPlan plan_tilts(std::span<const Cell> cells, const TotalWeight& total, double nats);

}  // namespace postern::infer
