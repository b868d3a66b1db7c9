#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "postern/core/rng.hpp"

#include "contrast_moves.hpp"
#include "level_shifts.hpp"
#include "network_target.hpp"
#include "parameters.hpp"
#include "record_moves.hpp"
#include "start.hpp"
#include "tables/margin_centres.hpp"
#include "tables/network_total.hpp"

namespace postern::infer {

/// The Markov chain of tables_chain.md on the tables of a network's latent data set. A step sweeps over the
/// contrasts, refreshes records and, where n is latent, lets records join and leave. The first kTuning steps
/// of a state choose widths and sizes of blocks; they are warm-up.
class TablesKernel {
 public:
  static constexpr int kTuning = 200;

  struct State {
    TableState tables;
    RecordMoves::State records;
    LevelShifts::State shifts;
    RowPriors::State priors;
    MarginCentres::State margins;
    double place_of_n = 0;  ///< where n is cut: as NetworkTotal has it
    CountLine line;
    std::uint64_t reading = 0;  ///< seed of what is drawn given the tables when the state is read
    int steps = 0;              ///< up to kTuning
  };
  struct Info {};

  /// The target must outlive this.
  explicit TablesKernel(const NetworkTarget& target);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const;
  void read(const State& state, std::span<double> out) const;
  /// The counts of the families' cells, in the order of network_quantities, then of the other released
  /// tables, then what is behind the released coefficients.
  void latents(const State& state, std::span<double> out, Rng& rng) const;
  [[nodiscard]] std::size_t moves() const { return contrasts_.moves(); }  ///< along contrasts, a step

 private:
  void learn(State& state, Rng& rng) const;
  void find_others();

  const NetworkTarget* target_;
  TablesStart start_;
  ContrastMoves contrasts_;
  RecordMoves records_;
  LevelShifts shifts_;
  ParameterDraw parameters_;
  std::vector<std::size_t> others_;  ///< cells of the other released tables
  std::optional<MarginCentres> margins_;
  std::optional<NetworkTotal> total_;
  std::size_t copies_ = 0;  ///< a step
  std::size_t resizings_ = 0;
};

}  // namespace postern::infer
