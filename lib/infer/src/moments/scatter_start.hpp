#pragma once

#include <vector>

#include "postern/core/stop.hpp"

#include "moments/scatter_target.hpp"

namespace postern::infer {

/// Where chains begin: near a mode given the scales, with the curvature there.
struct ScatterStart {
  std::vector<double> q;
  DenseMatrix factor;  ///< F, F F^T about the inverse of the curvature
};

/// The inverse of |curvature| of the smooth density, by differences of its gradient: a direction in which it
/// is flat or bends upwards is taken for about as wide as a standard normal.
[[nodiscard]] DenseMatrix curvature_metric(const MomentDensity& target, const std::vector<double>& q,
                                           ScatterWorkspace& work);
/// Unknowns of moments near the noisy ones that records could have.
[[nodiscard]] std::vector<double> plausible_unknowns(const ScatterTarget& target);
/// Climbs from there with the scales held, since their joint mode is degenerate, then says anew how the
/// target's row is known without the chain.
[[nodiscard]] ScatterStart find_scatter_start(ScatterTarget& target, const Conversation& conversation);

}  // namespace postern::infer
