#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/core/stop.hpp"
#include "postern/graph/conditional_tables.hpp"

#include "markov/posterior/correlated.hpp"
#include "markov/posterior/hamiltonian.hpp"

namespace postern::infer::markov {

/// Hamiltonian Monte Carlo on potentials and sampling errors together. A new state has its step adapted.
class PotentialsKernel {
 public:
  struct State {
    HamiltonianState chain;
    CorrelatedTarget::Workspace work;
    graph::ConditionalTables::Workspace reading;
    std::vector<double> values;  ///< what is reported
  };
  struct Info {};

  /// All of them must outlive this.
  PotentialsKernel(const PosteriorSetting& setting, const graph::ConditionalTables& families,
                   const Conversation& conversation);
  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return families_->cells() + (setting_->latent ? 1 : 0); }
  void read(const State& state, std::span<double> out) const;
  void latents(const State& state, std::span<double> out, Rng& rng) const;

 private:
  double move(State& state, Rng& rng) const;
  void report(State& state) const;

  const PosteriorSetting* setting_;
  const graph::ConditionalTables* families_;
  const Conversation* conversation_;
  CorrelatedTarget target_;
};

}  // namespace postern::infer::markov
