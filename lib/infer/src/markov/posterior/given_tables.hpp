#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/log_linear.hpp"

#include "markov/posterior/hamiltonian.hpp"
#include "markov/posterior/lower_map.hpp"
#include "markov/posterior/setting.hpp"

namespace postern::infer::markov {

/// Potentials given integer tables: t . Q^T n - n A(Q t) - |t|^2 / (2 s^2), which is concave, and nearly
/// normal where there are records. Coordinates x are those in which it is standard normal at the mode.
class GivenTables {
 public:
  struct State {
    HamiltonianState chain;
    std::vector<double> counts;  ///< Q^T n
    double total = 0;
  };

  /// The setting must outlive this.
  explicit GivenTables(const PosteriorSetting& setting);
  [[nodiscard]] State init() const;
  /// Several trajectories from t, given the counts of the model's cells. Returns the mean probability of
  /// acceptance; t and the law in `work` are those at the end.
  double move(std::span<double> t, std::span<const double> cells, double total, State& state,
              graph::LogLinear::Workspace& work, std::vector<double>& theta, Rng& rng) const;

 private:
  const PosteriorSetting* setting_;
  LowerMap whitened_;  ///< its transpose times x is t less the mode
  LowerMap factor_;    ///< its transpose times t less the mode is x
};

}  // namespace postern::infer::markov
