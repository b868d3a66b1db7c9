#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "postern/infer/gibbs/latent_n.hpp"
#include "postern/infer/gibbs/noisy_sum.hpp"
#include "postern/infer/gibbs/normal_table.hpp"
#include "postern/infer/number_problem.hpp"

namespace postern::infer {

/// JointNumber for a mean and a variance: the sums of k and of k^2 are seen. Laplace noise is normal noise of
/// a latent variance (scale_mixture.hpp). A step: n | theta, if latent; theta with all sums integrated out;
/// the sums of (k, k^2) given theta and y; those of (t, t^2) given them; theta given these, by conjugacy; the
/// variances of the noise. Everything is counted in units of k.
class JointSquares {
 public:
  /// Noise of one of the two sums, given the latent variances: y ~ N(sum, 1 / precision).
  struct Seen {
    double y = 0;
    double precision = 0;
  };
  struct State {
    double mean = 0;
    double log_variance = 0;
    double n = 0;
    double place = 0;                          ///< of n on the line
    double sum = 0;                            ///< of t
    double scatter = 0;                        ///< sum of squares of t about its mean
    std::array<std::vector<double>, 2> noise;  ///< latent variances of the Laplace sights
    std::array<Seen, 2> seen;
    NormalTable table;
    bool collapsed = false;
    std::array<double, 2> width{1, 1};  ///< of slices of the mean and of the log variance
  };
  struct Info {
    int redrawn = 0;  ///< sums that no records can have
  };

  /// Throws engine_unsuitable if records may be dropped, or no squares are seen.
  explicit JointSquares(const NumberProblem& problem);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return n_.latent ? 3 : 2; }
  void read(const State& state, std::span<double> out) const;

 private:
  void weigh(State& state) const;
  [[nodiscard]] double log_likelihood(double n, const SquareMoments& record, const State& state) const;
  [[nodiscard]] double log_prior(double mean, double log_variance) const;
  void start(State& state, Rng& rng) const;
  void draw_theta_alone(State& state, Rng& rng) const;
  void draw_n(State& state, Rng& rng) const;
  bool draw_seen(const State& state, const SquareMoments& record, std::array<double, 2>& seen,
                 Rng& rng) const;
  void set_place(State& state, double place) const;
  int draw_sums(State& state, const SquareMoments& record, const std::array<double, 2>& seen, Rng& rng) const;
  void draw_noise(State& state, const SquareMoments& record, const std::array<double, 2>& seen,
                  Rng& rng) const;

  std::shared_ptr<const model::NumberLaw> law_;
  std::shared_ptr<const model::EncodedNumber> number_;
  model::Hyper prior_{};  ///< in units of k
  std::array<std::vector<Sight>, 2> sights_;
  NoisySum count_;
  LatentN n_;
  double lowest_ = 0;  ///< what a record may add
  double highest_ = 0;
  NormalTable table_;
};

}  // namespace postern::infer
