#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/chains/latent_n.hpp"
#include "postern/infer/kinds/table/problem.hpp"

namespace postern::infer {

/// Gibbs for the probabilities behind a noisy table of counts (Bernstein & Sheldon 2018, Alg. 1, corrected):
/// the counts are normal with the multinomial's covariance, Laplace noise is normal noise of a latent
/// variance (scale_mixture.hpp). A step, of cost O(cells): n | theta, if latent; counts | theta, noise, y,
/// not below 0 and with sum n; the variances of the noise; theta | counts. Targets p(theta, n | y) up to the
/// normal approximation, which is poor for cells of few records: PooledTables has none.
class BoundedTable {
 public:
  struct State {
    std::vector<double> theta;
    std::vector<double> count;  ///< sums to n
    double n = 0;
    double place = 0;               ///< of n on the line
    std::vector<double> noise;      ///< latent variances of the values with Laplace noise, cell by cell
    std::vector<double> value;      ///< precision-weighted mean of a cell's noisy values, given those
    std::vector<double> precision;  ///< of that mean; 0 if the cell is not seen
    std::vector<double> proposal, pull, shape;
  };
  struct Info {
    int redrawn = 0;     ///< tables with a count below 0
    bool swept = false;  ///< too many of them: pairs of cells were drawn instead
  };

  explicit BoundedTable(const CountProblem& problem);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t cells() const { return alpha_.size(); }
  [[nodiscard]] std::size_t quantities() const { return cells() + (n_.latent ? 1 : 0); }
  void read(const State& state, std::span<double> out) const;

 private:
  void weigh(State& state) const;
  [[nodiscard]] double log_likelihood(double n, const State& state) const;
  void draw_n(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t propose(State& state, Rng& rng) const;
  void sweep_pairs(State& state, Rng& rng) const;
  void draw_noise(State& state, Rng& rng) const;
  void draw_theta(State& state, Rng& rng) const;

  std::vector<double> alpha_;
  std::vector<std::vector<NoisyValue>> noisy_values_;
  LatentN n_;
};

/// theta of every cell, then n if latent. Throws interrupted.
[[nodiscard]] ChainRun draw_bounded_table(const CountProblem& problem, const DriverOptions& options,
                                          const Conversation& conversation);

}  // namespace postern::infer
