#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/regression/chain.hpp"

#include "size_moves.hpp"
#include "start.hpp"
#include "trajectory.hpp"

namespace postern::infer {

/// sigma and beta given the moments that the workspace was filled with.
void draw_coefficients(const MomentTarget& target, double n, const MomentWorkspace& work, Rng& rng,
                       std::span<double> beta, double& sigma);

/// The share of records whose y would lie outside of -1..1 if y were normal with these moments.
[[nodiscard]] double outside_share(double n, const MomentWorkspace& work);

/// One trajectory and, where n is latent, a sweep of its moves. Returns how probably the first was accepted.
double move_chain(const MomentTarget& target, MomentState& moments, SizeMoves::Widths& widths, Rng& rng);
/// Moves chains apart from where they start, about as far as the noise allows.
void spread_out(const MomentTarget& target, MomentState& moments, Rng& rng);
/// Learns metric, step and widths, and leaves them as they are then. `between` moves what else there is.
void adapt_chain(const MomentTarget& target, MomentState& moments, SizeMoves::Widths& widths, Rng& rng,
                 const Conversation& conversation, const std::function<void()>& between = {});

/// Hamiltonian Monte Carlo on the latent moments; n, where it is latent, by Metropolis moves in between. A
/// new state has had its metric and step adapted.
class RegressionKernel {
 public:
  struct State {
    MomentState moments;
    SizeMoves::Widths widths;
    std::vector<double> values;  ///< what is reported
  };
  struct Info {};

  /// The target must outlive this.
  RegressionKernel(const MomentTarget& target, const Conversation& conversation);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return quantities_.all; }
  void read(const State& state, std::span<double> out) const;
  void latents(const State& state, std::span<double> out, Rng& rng) const;

 private:
  void report(State& state, Rng& rng) const;

  const MomentTarget* target_;
  Conversation conversation_;
  RegressionQuantities quantities_;
  MomentStart start_;
};

}  // namespace postern::infer
