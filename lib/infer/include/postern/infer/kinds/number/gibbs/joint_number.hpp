#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "postern/infer/chains/latent_n.hpp"
#include "postern/infer/kinds/number/gibbs/moment_table.hpp"
#include "postern/infer/kinds/number/kept_theta.hpp"
#include "postern/infer/kinds/number/problem.hpp"
#include "postern/infer/noise/noisy_sum.hpp"

namespace postern::infer {

/// Gibbs for a family with one parameter whose records are clamped, mapped, dropped or rounded before they
/// are summed (Bernstein & Sheldon 2018, Alg. 2, corrected), in one record set or several behind one theta.
/// In each the sum c of what records add and the sum s of their statistics are jointly normal given theta. A
/// step: n | theta, if latent; c | theta, y; s | c, theta; theta | s of all sets, by conjugacy, or by a slice
/// where records were dropped. Targets p(theta, n | y) up to that normal approximation.
///
/// Where the noise is much wider than the spread of c, or n is latent, a step also draws theta, and theta
/// with n, given y with the sums of all sets integrated out: without it the chain would be slow there.
class JointNumber {
 public:
  /// Of one record set.
  struct Sums {
    double c = 0;
    double s = 0;
    double n = 0;
    double place = 0;  ///< of n on the line: n is the whole number nearest to it
    NoisySum sum;      ///< as n places it
    MomentTable table;
  };
  struct State {
    model::Theta theta{};
    std::vector<Sums> sets;
    bool collapsed = false;
    double width = 1;  ///< of slices of the free parameter
  };
  struct Info {
    int redrawn = 0;  ///< sums s that no records can have
  };

  /// @pre the problems share law and prior. Throws engine_unsuitable if the family has two parameters.
  explicit JointNumber(const std::vector<NumberProblem>& problems);
  explicit JointNumber(const NumberProblem& problem) : JointNumber(std::vector{problem}) {}

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const;
  /// theta, then n of every set where it is latent.
  void read(const State& state, std::span<double> out) const;

 private:
  struct Set {
    explicit Set(const NumberProblem& problem);

    std::shared_ptr<const model::EncodedNumber> number;
    model::KeptRange kept;
    NoisySum sum;
    NoisySum count;
    LatentN n;
    double lowest = 0;  ///< what a record may add
    double highest = 0;
    MomentTable table;  ///< empty: each chain fills its own

    void place_n(Sums& sums, double place) const;
    [[nodiscard]] double log_likelihood(double records, const RecordMoments& record, NoisySum& seen) const;
  };

  [[nodiscard]] const FreeParameter& free() const { return sets_.front().table.free(); }
  [[nodiscard]] double log_prior(double free) const;
  /// Of what all sets but one have shown.
  [[nodiscard]] double log_others(double free, State& state, std::size_t set) const;
  [[nodiscard]] double start(State& state, Rng& rng) const;
  [[nodiscard]] double log_start(double free, const State& state) const;
  void size_slices(State& state) const;
  void draw_theta_alone(State& state, Rng& rng) const;
  void draw_n(State& state, std::size_t set, Rng& rng) const;
  void draw_along_ridge(State& state, std::size_t set, Rng& rng) const;
  int draw_sums(State& state, std::size_t set, Rng& rng) const;
  int draw_sum(State& state, std::size_t set, double mean, double deviation, Rng& rng) const;
  void draw_theta(State& state, Rng& rng) const;

  std::shared_ptr<const model::NumberLaw> law_;
  model::Hyper prior_;
  std::vector<Set> sets_;
  bool drops_ = false;
};

}  // namespace postern::infer
