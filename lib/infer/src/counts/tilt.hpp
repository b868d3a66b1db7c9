#pragma once

#include <span>
#include <vector>

#include "cell.hpp"
#include "total_weight.hpp"

namespace postern::infer {

/// A tail bound on the posterior. Every total n that matters has a tilt t whose mean total is n, and all that
/// the posterior says with that total weighs at most e^-drop times what P_t says. So a part of the product
/// law that has at most e^(drop - nats) of P_t for every t of the list has at most e^-nats of the posterior.
struct TailBound {
  double tilt = 0;
  double drop = 0;  ///< in nats
};

/// Up to here (in nats) the tilt of the messages is the only bound that is needed, with a drop of -excess:
/// among the totals that matter the posterior is at most e^excess times its product law, whatever the event.
inline constexpr double kMuchExcess = 10;

/// The tilts under which a tree is built and cut, and the totals that matter.
struct TiltPlan {
  double tilt = 0;          ///< the one the messages carry
  Window totals;            ///< all but a negligible part of the posterior of n
  std::int64_t anchor = 0;  ///< the total at which h(n) e^{-tilt n} is largest
  /// How many nats a message lies below its largest value where it still matters, because h(n) e^{-tilt n}
  /// makes up for it. About 0 when n is known, or well seen.
  double excess = 0;
  double height = 0;              ///< Chernoff's bound on the log evidence, to within a few percent
  std::vector<TailBound> bounds;  ///< by tilt
};

/// The tilt under which the expected total is `target`, to within a small part of its standard deviation.
[[nodiscard]] double solve_tilt(std::span<const Cell> cells, double target);

/// Totals with less than e^-nats of the posterior are left out.
[[nodiscard]] TiltPlan plan_tilts(std::span<const Cell> cells, const TotalWeight& total, double nats);

}  // namespace postern::infer
