#pragma once

#include <vector>

#include "postern/core/rng.hpp"
#include "postern/core/stop.hpp"

#include "moments/scatter_start.hpp"

namespace postern::infer {

/// A chain's place, and what it moves by.
class ScatterChain {
 public:
  ScatterChain(const MomentDensity& target, const ScatterStart& start);

  /// Moves away from the start, about as far as the curvature there allows.
  void spread_out(const MomentDensity& target, Rng& rng);
  /// Learns metric and step, `times` as long as usual, and leaves them as they are then.
  void adapt(const MomentDensity& target, std::size_t times, Rng& rng, const Conversation& conversation);
  /// Learns the step alone: the start's metric is one that a chain has learned.
  void settle(const MomentDensity& target, Rng& rng, const Conversation& conversation);
  /// A trajectory of Hamiltonian Monte Carlo and, of a regression, jumps of the slopes' own scales.
  void move(const MomentDensity& target, Rng& rng);
  /// The workspace with the state filled, as it is now.
  const ScatterWorkspace& settled(const MomentDensity& target);
  /// The same. @pre settled, and not moved since
  [[nodiscard]] const ScatterWorkspace& workspace() const { return work_; }
  [[nodiscard]] const DenseMatrix& metric() const { return factor_; }

 private:
  double take_trajectory(const MomentDensity& target, Rng& rng);
  void jump(const MomentDensity& target, Rng& rng);
  void round(const MomentDensity& target, std::size_t length, bool learn, Rng& rng);

  std::vector<double> q_, slope_, proposal_, proposal_slope_;
  double log_density_ = 0;
  bool filled_ = true;  ///< is the workspace that of q?
  DenseMatrix factor_;  ///< of the inverse metric: q = factor z, z moves as if it were standard normal
  double step_ = 0.2;
  DenseVector momentum_, whitened_;
  ScatterWorkspace work_;
};

}  // namespace postern::infer
