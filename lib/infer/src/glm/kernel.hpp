#pragma once

#include <vector>

#include "postern/infer/glm/chain.hpp"

#include "regression/kernel.hpp"
#include "target.hpp"

namespace postern::infer {

/// Where chains begin: as a linear regression of y would, with the predictor that goes with its slopes.
[[nodiscard]] MomentStart find_glm_start(const GlmTarget& target, const Conversation& conversation);

/// Hamiltonian Monte Carlo on the unknowns of GlmTarget; n, where it is latent, by Metropolis moves in
/// between. A new state has had its metric and step adapted.
class GlmKernel {
 public:
  struct State {
    MomentState moments;
    SizeMoves::Widths widths;
    std::vector<double> values;  ///< what is reported
  };
  struct Info {};

  /// Problem, target and conversation must outlive this.
  GlmKernel(const GlmProblem& problem, const GlmTarget& target, const Conversation& conversation);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return quantities_.all; }
  void read(const State& state, std::span<double> out) const;
  void latents(const State& state, std::span<double> out, Rng& rng) const;

 private:
  void report(State& state) const;

  const GlmProblem* problem_;
  const GlmTarget* target_;
  const Conversation* conversation_;
  GlmQuantities quantities_;
  MomentStart start_;
};

}  // namespace postern::infer
