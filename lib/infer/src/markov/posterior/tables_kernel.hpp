#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/core/stop.hpp"
#include "postern/graph/conditional_tables.hpp"

#include "markov/posterior/given_tables.hpp"
#include "markov/posterior/latent_data.hpp"
#include "markov/posterior/moving_tables.hpp"

namespace postern::infer::markov {

/// Integer tables and potentials in turn, and both together as long as that moves far enough (posterior.md).
/// A new state has its steps and widths adapted.
class ExactKernel {
 public:
  struct State {
    std::vector<double> t;
    std::vector<double> theta;
    graph::LogLinear::Workspace law;  ///< at theta
    LatentData::State data;
    GivenTables::State given;
    MovingTables::State moving;
    bool together = true;  ///< does it move far enough?
    std::vector<double> cells;
    graph::ConditionalTables::Workspace reading;
    std::vector<double> values;  ///< what is reported
  };
  struct Info {};

  /// All of them must outlive this.
  ExactKernel(const PosteriorSetting& setting, const LatentData& data,
              const graph::ConditionalTables& families, const Conversation& conversation);
  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return families_->cells() + (setting_->latent ? 1 : 0); }
  void read(const State& state, std::span<double> out) const;
  void latents(const State& state, std::span<double> out, Rng& rng) const;

 private:
  void adapt(State& state, Rng& rng) const;
  double move_potentials(State& state, Rng& rng) const;
  void report(State& state) const;

  const PosteriorSetting* setting_;
  const LatentData* data_;
  const graph::ConditionalTables* families_;
  const Conversation* conversation_;
  GivenTables given_;
  MovingTables moving_;
};

}  // namespace postern::infer::markov
