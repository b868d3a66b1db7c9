#pragma once

#include <vector>

#include "postern/core/stop.hpp"

#include "target.hpp"

namespace postern::infer {

/// Where chains begin: near a mode, with what the noise says about the size of steps there.
struct MomentStart {
  double n = 0;
  std::vector<double> q;
  Matrix factor;  ///< F, F F^T the inverse of J^T diag(1 / b^2) J + 10 I
};

/// Moments near the noisy ones that records could have, as unknowns of the target.
[[nodiscard]] std::vector<double> plausible_moments(const MomentTarget& target, double n);
/// n as it is, or as the noisy values say.
[[nodiscard]] double plausible_n(const MomentTarget& target);
/// The factor of MomentStart at q.
[[nodiscard]] Matrix noise_metric(const MomentTarget& target, const std::vector<double>& q, double n);
/// Climbs from plausible moments towards a mode; the kinks of Laplace noise keep it from going all the way.
[[nodiscard]] MomentStart find_start(const MomentTarget& target, const Conversation& conversation);

}  // namespace postern::infer
