#pragma once

#include "postern/owner/gate.hpp"
#include "postern/release/release.hpp"

#include "audit/direction.hpp"

namespace postern::app {

/// What the rounds of releases show of two neighbours by the laws that they state: by composition no more
/// than the charge, and each round no more than its cost (lib/model/src/plan/rounds.md).
struct RoundsLoss {
  double whole = 0;     ///< of all rounds
  double of_round = 0;  ///< of the round that comes nearest to its own cost
  double cost = 0;      ///< of that round
  /// The worse of the two, in each of both respects.
  void take(const RoundsLoss& other);
};

/// The log likelihood ratio of two neighbours by all that a release published, round by round; what its laws
/// show goes to `losses`. @pre the release was made in rounds
[[nodiscard]] RunStatistic look_at_rounds(const release::Release& release, const owner::Measured& here,
                                          const owner::Measured& there, RoundsLoss& losses);

}  // namespace postern::app
