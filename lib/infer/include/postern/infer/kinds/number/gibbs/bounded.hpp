#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/chains/latent_n.hpp"
#include "postern/infer/kinds/number/problem.hpp"
#include "postern/infer/noise/noisy_sum.hpp"

namespace postern::infer {

/// Gibbs for a binomial probability behind a noisy sum, or one of each of several record sets (Bernstein &
/// Sheldon 2018, Alg. 1, without their augmentation). A step: n | theta, if latent; s | theta, y from N(n mu,
/// n var) times the noise, cut to 0..n trials; theta | s of all sets, by conjugacy. Targets p(theta, n | y)
/// up to the normal approximation of s.
///
/// Where the noise is much wider than the sum's own spread, the chain would be slow, and the approximation's
/// error is amplified. There a step also draws theta given y with s integrated out.
class BoundedNumber {
 public:
  /// Of one record set.
  struct Sums {
    double s = 0;
    double n = 0;
    double place = 0;  ///< of n on the line: n is the whole number nearest to it
    NoisySum sum;      ///< as n places it
  };
  struct State {
    double theta = 0.5;
    std::vector<Sums> sets;
    bool collapsed = false;
    double width = 1;  ///< of slices of the log odds
  };
  struct Info {};

  /// @pre the problems share law, prior and levels. Throws engine_unsuitable unless the family is bounded,
  /// one parameter, one level for each value.
  explicit BoundedNumber(const std::vector<NumberProblem>& problems);
  explicit BoundedNumber(const NumberProblem& problem) : BoundedNumber(std::vector{problem}) {}

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const;
  /// theta, then n of every set where it is latent.
  void read(const State& state, std::span<double> out) const;

 private:
  struct Set {
    Set(const NumberProblem& problem, double trials);

    NoisySum sum;
    NoisySum count;
    LatentN n;
    double guess = 0;  ///< of n, to begin with
  };

  [[nodiscard]] double log_likelihood(double theta, double n, NoisySum& sum) const;
  [[nodiscard]] double log_odds_density(double log_odds, State& state) const;
  void set_n(Sums& sums, const Set& set, double place) const;
  void draw_n(State& state, std::size_t set, Rng& rng) const;
  void draw_theta_alone(State& state, Rng& rng) const;

  double a_, b_;  ///< of the Beta prior
  double trials_ = 1;
  std::vector<Set> sets_;
};

/// theta, then n of every set where it is latent. Throws engine_unsuitable, interrupted.
[[nodiscard]] ChainRun draw_bounded_number(const std::vector<NumberProblem>& problems,
                                           const DriverOptions& options, const Conversation& conversation);
[[nodiscard]] inline ChainRun draw_bounded_number(const NumberProblem& problem, const DriverOptions& options,
                                                  const Conversation& conversation) {
  return draw_bounded_number(std::vector{problem}, options, conversation);
}

}  // namespace postern::infer
