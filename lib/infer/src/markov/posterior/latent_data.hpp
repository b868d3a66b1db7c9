#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "markov/posterior/clique_counts.hpp"
#include "markov/posterior/setting.hpp"
#include "network/tables/contrast_moves.hpp"

namespace postern::infer::markov {

/// The integer tables of the latent data set given the potentials: those of a junction tree and of what was
/// measured, with target n! prod_S N_S! / prod_C N_C! exp(theta . n - n A) P(noise). The moves are those of
/// the network's tables engine, tilted by theta.
class LatentData {
 public:
  struct State {
    TableState tables;
    CountLine line{0};
    double width = 1;  ///< of slices along copies of one record
  };

  /// The setting must outlive this; so must `problem` its construction.
  LatentData(const PosteriorSetting& setting, const MarkovProblem& problem);
  LatentData(const LatentData&) = delete;  // parts point to one another
  LatentData& operator=(const LatentData&) = delete;
  ~LatentData() = default;

  [[nodiscard]] const CliqueCounts& cliques() const { return cliques_; }
  [[nodiscard]] std::size_t moves() const { return contrasts_.moves(); }  ///< of a sweep
  [[nodiscard]] std::size_t total() const { return tables_.total(); }     ///< the count that is n
  /// Tables of about as many records as there seem to be, of the workspace's law.
  [[nodiscard]] State init(const graph::LogLinear::Workspace& law, Rng& rng) const;
  /// One sweep given theta. `law` is that of theta.
  void sweep(std::span<const double> theta, const graph::LogLinear::Workspace& law, State& state,
             Rng& rng) const;
  /// The counts of the model's cells: what theta is multiplied with.
  void read(std::span<const std::int64_t> counts, std::span<double> cells) const;
  /// The log probability of the noise, up to a constant.
  [[nodiscard]] double log_noise(std::span<const std::int64_t> counts) const;

 private:
  void copy(const graph::LogLinear::Workspace& law, State& state, Rng& rng) const;

  const PosteriorSetting* setting_;
  LatentTables tables_;
  NetworkSums sums_;
  CellPotentials potentials_;
  ContrastMoves contrasts_;
  CliqueCounts cliques_;
  std::vector<std::size_t> places_;  ///< of the model's cells among the counts
};

}  // namespace postern::infer::markov
