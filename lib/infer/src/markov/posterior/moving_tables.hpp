#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/log_linear.hpp"

#include "markov/posterior/hamiltonian.hpp"
#include "markov/posterior/latent_data.hpp"
#include "markov/posterior/lower_map.hpp"
#include "markov/posterior/setting.hpp"

namespace postern::infer::markov {

/// Potentials that take the tables along. Tables are a function of the potentials and of uniform numbers u,
/// one a binomial (clique_counts.hpp); u is drawn given the tables, and t moves with u fixed. Where noise is
/// large, that goes far in one step, which potentials and tables in turn do not. The trajectory follows the
/// slope of a smooth stand-in, n mu(t) + what u adds at the mode, and is accepted by the noise of the tables
/// that it leads to: the target is exact.
class MovingTables {
 public:
  struct State {
    HamiltonianState chain;
    std::vector<Uniform> uniforms;
    std::vector<std::int64_t> counts;
    std::vector<double> error;  ///< of the model's cells: what u adds at the mode
    double length = 1;          ///< of a trajectory
  };

  /// Both must outlive this.
  MovingTables(const PosteriorSetting& setting, const LatentData& data);
  [[nodiscard]] State init() const;
  /// One trajectory from t and counts, which are then those at its end. `work` is at the law of t, before and
  /// after. Returns the probability of acceptance.
  double move(std::span<double> t, std::span<std::int64_t> counts, State& state,
              graph::LogLinear::Workspace& work, std::vector<double>& theta, Rng& rng) const;

 private:
  [[nodiscard]] double log_prior(std::span<const double> t, const graph::LogLinear::Workspace& work) const;
  double follow(std::span<const double> x, const State& state, double n, graph::LogLinear::Workspace& work,
                std::vector<double>& theta, std::span<double> slope) const;

  const PosteriorSetting* setting_;
  const LatentData* data_;
  LowerMap whitened_;
  LowerMap factor_;
  std::vector<double> mode_probabilities_;
  std::vector<double> mode_marginals_;
};

}  // namespace postern::infer::markov
