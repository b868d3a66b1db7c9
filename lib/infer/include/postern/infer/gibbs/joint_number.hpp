#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "postern/infer/gibbs/latent_n.hpp"
#include "postern/infer/gibbs/moment_table.hpp"
#include "postern/infer/gibbs/noisy_sum.hpp"
#include "postern/infer/number_problem.hpp"

namespace postern::infer {

/// Gibbs for a family with one parameter whose records are clamped, mapped or rounded before they are summed
/// (Bernstein & Sheldon 2018, Alg. 2, corrected): the sum c of what records add and the sum s of their
/// statistics are jointly normal given theta. A step: n | theta, if latent; c | theta, y; s | c, theta; theta
/// | s, by conjugacy. Targets p(theta, n | y) up to that normal approximation.
///
/// Where the noise is much wider than the spread of c, or n is latent, a step also draws theta, and theta
/// with n, given y with the sums integrated out: without it the chain would be slow there.
class JointNumber {
 public:
  struct State {
    model::Theta theta{};
    double c = 0;
    double s = 0;
    double n = 0;
    double place = 0;  ///< of n on the line: n is the whole number nearest to it
    NoisySum sum;      ///< as n places it
    MomentTable table;
    bool collapsed = false;
    double width = 1;  ///< of slices of the free parameter
  };
  struct Info {
    int redrawn = 0;  ///< sums s that no records can have
  };

  /// Throws engine_unsuitable if records may be dropped, or the family has two parameters.
  explicit JointNumber(const NumberProblem& problem);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return n_.latent ? 2 : 1; }
  void read(const State& state, std::span<double> out) const;

 private:
  void set_n(State& state, double place) const;
  [[nodiscard]] double log_likelihood(double n, const RecordMoments& record, NoisySum& sum) const;
  [[nodiscard]] double log_prior(double free) const;
  [[nodiscard]] double start(State& state, Rng& rng) const;
  [[nodiscard]] double log_start(double free, const State& state) const;
  void draw_theta_alone(State& state, Rng& rng) const;
  void draw_n(State& state, Rng& rng) const;
  void draw_along_ridge(State& state, Rng& rng) const;
  int draw_sum(State& state, double mean, double deviation, Rng& rng) const;

  std::shared_ptr<const model::NumberLaw> law_;
  std::shared_ptr<const model::EncodedNumber> number_;
  model::Hyper prior_;
  NoisySum sum_;
  NoisySum count_;
  LatentN n_;
  double lowest_ = 0;  ///< what a record may add
  double highest_ = 0;
  MomentTable table_;  ///< empty: each chain fills its own
};

}  // namespace postern::infer
