#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/table/problem.hpp"

#include "counts/cell_noise.hpp"
#include "odds_proposal.hpp"

namespace postern::infer {

/// Markov chain on p(theta, s_1..s_D, n_1..n_D | y): theta ~ Dirichlet(alpha) shared by D disjoint record
/// sets, s_d ~ Multinomial(n_d, theta) seen through noise, n_d known or latent (exact/count_posterior.md). A
/// step is a sweep of three kinds of moves (docs/engines/gibbs.md):
///  - counts given theta: what two cells hold together is divided anew, and where totals are latent one cell
///    is drawn as well, exactly, from a log-concave law;
///  - theta and counts together ("ancillary", Yu & Meng 2011): theta moves and records are recoupled to it,
///    so that noise much wider than the counts' own spread does not slow the chain;
///  - theta given counts: Dirichlet.
class PooledTables {
 public:
  struct State {
    std::vector<double> log_theta;    ///< up to a common constant
    std::vector<std::int64_t> count;  ///< of cell k in dataset d: [d * cells + k]
    std::vector<std::int64_t> total;  ///< n_d
    std::vector<std::int64_t> proposal;
    std::vector<char> moved;  ///< does dataset d take part in an ancillary move?
  };
  /// Of the ancillary moves.
  struct Info {
    std::size_t proposed = 0;
    std::size_t accepted = 0;
  };

  /// `reported`: the cells whose theta `read` gives; after them come the latent totals. The alpha of the
  /// datasets is not looked at. Throws bad_value; all totals must be known, or all latent.
  PooledTables(std::vector<double> alpha, std::vector<std::size_t> reported,
               std::span<const CountProblem> datasets);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return reported_.size() + (latent_ ? datasets() : 0); }
  void read(const State& state, std::span<double> out) const;
  /// The counts of all datasets.
  static void latents(const State& state, std::span<double> out, Rng& rng) {
    std::copy(state.count.begin(), state.count.end(), out.begin());
    static_cast<void>(rng);
  }

  [[nodiscard]] std::size_t cells() const { return alpha_.size(); }
  [[nodiscard]] std::size_t datasets() const { return most_.size(); }

 private:
  [[nodiscard]] std::size_t at(std::size_t d, std::size_t k) const { return d * cells() + k; }
  void guess_counts(const CountProblem& problem, std::size_t d);
  void draw_theta(State& state, Rng& rng) const;

  // Any totals: pairs of cells (pair_moves.cpp).
  void sweep_pairs(State& state, Rng& rng, Info& info) const;
  void draw_pair(State& state, std::size_t d, std::size_t j, std::size_t k, Rng& rng) const;
  void guess_odds(OddsProposal& proposal, std::size_t d, std::size_t j, std::size_t k, double m) const;
  [[nodiscard]] OddsProposal prepare_share(State& state, std::size_t j, std::size_t k, Rng& rng) const;
  [[nodiscard]] bool move_share(State& state, std::size_t j, std::size_t k, Rng& rng) const;

  // Latent totals: one cell against the others, and all cells of a dataset (cell_moves.cpp).
  void sweep_cells(State& state, Rng& rng, Info& info) const;
  [[nodiscard]] OddsProposal prepare_cell(State& state, std::size_t k, Rng& rng) const;
  [[nodiscard]] bool move_cell(State& state, std::size_t k, double& log_odds, Rng& rng) const;
  [[nodiscard]] bool move_total(State& state, std::size_t d, Rng& rng) const;
  [[nodiscard]] bool propose_total(State& state, std::size_t d, double& log_accept, Rng& rng) const;

  std::vector<double> alpha_;
  std::vector<double> alpha_others_;  ///< sum of all but one
  std::vector<std::size_t> reported_;
  bool latent_ = false;
  std::vector<std::int64_t> most_;  ///< per dataset: n, or the bound on it
  std::vector<double> log_slope_;   ///< of the prior of a latent n
  std::vector<CellNoise> noise_;    ///< [d * cells + k]
  std::vector<double> precision_;   ///< of all noisy values of a cell together
  std::vector<double> value_;       ///< their precision-weighted mean, as far as it can be a count
  std::vector<double> guess_;       ///< a plausible count, for the size of steps and the start only
  std::size_t pivot_ = 0;           ///< the cell that is paired with every other: the largest by guess
};

}  // namespace postern::infer
