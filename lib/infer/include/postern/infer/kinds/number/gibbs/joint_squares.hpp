#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/chains/latent_n.hpp"
#include "postern/infer/kinds/number/gibbs/normal_table.hpp"
#include "postern/infer/kinds/number/kept_theta.hpp"
#include "postern/infer/kinds/number/problem.hpp"
#include "postern/infer/noise/noisy_sum.hpp"

namespace postern::infer {

struct OwnMoments;
struct SumPair;

/// Gibbs for a mean and a variance behind noisy sums of k and of k^2, where records are clamped, mapped,
/// dropped or rounded before they are summed (Bernstein & Sheldon 2018, Alg. 2, corrected), in one record set
/// or several. Given theta the sums of (k, k^2) and those of the records' own (t, t^2) are jointly normal:
/// targets p(theta, n | y) up to that. Laplace noise is normal noise of a latent variance
/// (scale_mixture.hpp). A step: theta with the sums of all sets integrated out; for each record set n |
/// theta, if latent, the sums of (k, k^2) given theta and y, those of (t, t^2) given them and the variances
/// of the noise; theta given the sums of all sets, by conjugacy, or by slices where records were dropped.
/// Everything is counted in units of k.
class JointSquares {
 public:
  /// Noise of one of the two sums, given the latent variances: y ~ N(sum, 1 / precision).
  struct Seen {
    double y = 0;
    double precision = 0;
  };
  /// Of one record set.
  struct Sums {
    double n = 0;
    double place = 0;                          ///< of n on the line
    double sum = 0;                            ///< of t
    double scatter = 0;                        ///< sum of squares of t about its mean
    std::array<double, 2> about{};             ///< sums of (t, t^2) about the state's mean, once drawn
    std::array<std::vector<double>, 2> noise;  ///< latent variances of the values with Laplace noise
    std::array<Seen, 2> seen;
    std::array<double, 2> released{};  ///< the sums of (k, k^2), once drawn
  };
  struct State {
    double mean = 0;
    double log_variance = 0;
    std::vector<Sums> sets;
    std::vector<NormalTable> tables;  ///< one for sets whose columns treat records alike
    bool collapsed = false;
    std::array<double, 2> width{1, 1};  ///< of slices of the mean and of the log variance
  };
  struct Info {
    int redrawn = 0;  ///< sums that no records can have
  };

  /// @pre the problems share law, prior and levels. Throws engine_unsuitable if no squares are seen, or the
  /// levels differ.
  explicit JointSquares(const std::vector<NumberProblem>& problems);
  explicit JointSquares(const NumberProblem& problem) : JointSquares(std::vector{problem}) {}

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const;
  /// Mean, variance, then n of every set where it is latent.
  void read(const State& state, std::span<double> out) const;
  /// n, the sums of k and of k^2, and 0, of every set.
  void latents(const State& state, std::span<double> out, Rng& rng) const;

 private:
  struct Set {
    Set(const NumberProblem& problem, std::size_t table);

    std::array<std::vector<NoisyValue>, 2> noisy_values;
    NoisySum count;
    LatentN n;
    model::KeptRange kept;  ///< in units of k
    double lowest = 0;      ///< what a record may add
    double highest = 0;
    std::size_t table = 0;
  };

  [[nodiscard]] std::size_t table_for(const std::vector<NumberProblem>& problems, std::size_t set);
  static void weigh(Sums& sums, const Set& set);
  [[nodiscard]] static double log_likelihood(double n, const SquareMoments& record, const Sums& sums);
  [[nodiscard]] double log_prior(double mean, double log_variance) const;
  void start(State& state, Rng& rng) const;
  [[nodiscard]] double log_start(double mean, double log_variance, const State& state) const;
  [[nodiscard]] model::Hyper naive_update(const State& state) const;
  void size_slices(State& state) const;
  void draw_theta_alone(State& state, Rng& rng) const;
  void draw_n(State& state, std::size_t set, Rng& rng) const;
  bool draw_seen(const Sums& sums, const Set& set, const SquareMoments& record, std::array<double, 2>& seen,
                 Rng& rng) const;
  void set_place(State& state, std::size_t set, double place) const;
  [[nodiscard]] OwnMoments own_moments(const State& state, const Set& set) const;
  int draw_set(State& state, std::size_t set, Rng& rng) const;
  int draw_sums(State& state, std::size_t set, const SquareMoments& record, const std::array<double, 2>& seen,
                Rng& rng) const;
  static void draw_noise(Sums& sums, const Set& set, const SquareMoments& record,
                         const std::array<double, 2>& seen, Rng& rng);
  void draw_theta(State& state, Rng& rng) const;

  std::shared_ptr<const model::NumberLaw> law_;
  model::LevelValues values_;
  model::Hyper prior_{};  ///< in units of k
  std::vector<Set> sets_;
  std::vector<NormalTable> tables_;  ///< empty: each chain fills its own
  bool drops_ = false;
};

/// Mean, variance, then n of every set where it is latent. Throws engine_unsuitable, interrupted.
[[nodiscard]] ChainRun draw_joint_squares(const std::vector<NumberProblem>& problems,
                                          const DriverOptions& options, const Conversation& conversation);

}  // namespace postern::infer
