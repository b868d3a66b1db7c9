#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/table/gibbs/pooled_counts.hpp"

#include "kinds/table/gibbs/pooled_tables.hpp"

namespace postern::infer {

/// Markov chain on p(theta, records of D disjoint sets, n_1..n_D | y): a record is one of K levels, drawn
/// from theta ~ Dirichlet(alpha), and the number of records at each level is seen through noise (Ju et al.
/// 2022). Records of one level are alike, so the state holds how many there are, and no move costs more for
/// many records. A step moves the records of each set given theta,
///  - swaps: a record drawn by chance is offered a level ~ theta, accepted by the noise of the two counts;
///  - blocks: each record takes part with probability c, and all that do are drawn afresh together;
///  - offers: one level ~ theta that any record may take, chosen by weight (SOMA, Xiong & Ju 2025);
///  - joining and leaving, one record at a time, where n is latent;
/// and then theta with and without them, as PooledTables does. The first kTuning steps of a state choose c;
/// they are warm-up.
class TableChain {
 public:
  static constexpr int kTuning = 200;

  struct State {
    PooledTables::State table;
    std::vector<double> theta;
    std::vector<double> below;       ///< of theta: summed up to each level
    std::vector<double> weight;      ///< of an offer, per level
    std::vector<std::int64_t> next;  ///< counts of a proposal
    std::vector<std::int64_t> drawn;
    std::vector<double> log_block;  ///< log of the records of a block, per set
    int steps = 0;                  ///< up to kTuning
  };
  struct Info {};

  /// Throws bad_value; all totals must be known, or all latent.
  explicit TableChain(const PooledCounts& problem);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return tables_.quantities(); }
  void read(const State& state, std::span<double> out) const { tables_.read(state.table, out); }

 private:
  [[nodiscard]] std::span<std::int64_t> counts(State& state, std::size_t d) const {
    return std::span(state.table.count).subspan(tables_.at(d, 0), tables_.cells());
  }
  void lay_out_theta(State& state) const;
  /// A level ~ theta, and that of a record drawn by chance from this many.
  [[nodiscard]] std::size_t draw_level(const State& state, Rng& rng) const;
  [[nodiscard]] static std::size_t draw_record(std::span<const std::int64_t> count, std::int64_t n, Rng& rng);
  /// Of the noise, were a record of one level at another.
  [[nodiscard]] double log_moved(std::span<const std::int64_t> count, std::size_t d, std::size_t from,
                                 std::size_t to) const;
  void swap_record(State& state, std::size_t d, Rng& rng) const;
  void swap_block(State& state, std::size_t d, Rng& rng) const;
  void offer_level(State& state, std::size_t d, Rng& rng) const;
  void join_or_leave(State& state, std::size_t d, Rng& rng) const;

  PooledTables tables_;
};

}  // namespace postern::infer
