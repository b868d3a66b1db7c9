#pragma once

#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/study.hpp"

#include "collapsed.hpp"
#include "residual_form.hpp"

namespace postern::infer {

/// A Markov chain on the coefficients and, where it is private, n. Targets their posterior given noisy
/// gradients by the law of CollapsedGradients; Laplace noise is normal noise of random variance, which is
/// drawn with the sampling errors.
class LogisticChain {
 public:
  struct State {
    std::vector<double> theta;  ///< of scaled columns
    double n = 0;
    std::vector<double> variances;  ///< of the noise, a coordinate each
    std::vector<Cholesky> factors;  ///< of sampling and noise covariance, a block each
    ResidualForm form;              ///< of residuals, by those
    std::vector<double> shift;      ///< of the expected gradient, at theta
    double log_density = 0;         ///< given the variances
    double length = 1;              ///< of proposals, settled while few steps were made
    std::size_t steps = 0;
  };
  struct Info {
    int accepted = 0;
  };

  /// @pre the problem and the study outlive it
  LogisticChain(const LogisticProblem& problem, const model::Study& study);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return problem_.size + (latent_ ? 1 : 0); }
  /// Coefficients in the units of the columns.
  void read(const State& state, std::span<double> out) const;
  /// The exact gradients, one after the other, in released units, drawn given the state; then n behind each
  /// count.
  void latents(const State& state, std::span<double> out, Rng& rng) const;
  [[nodiscard]] const CollapsedGradients& gradients() const { return gradients_; }

 private:
  void factorise(State& state) const;
  /// Given where the expected gradient is at theta, and the variances.
  [[nodiscard]] double log_density(std::span<const double> theta, double n, const State& state,
                                   const std::vector<double>& shift) const;
  [[nodiscard]] double residual(const State& state, std::size_t at) const;
  /// Sampling errors of a block given the residuals.
  [[nodiscard]] std::vector<double> draw_errors(const State& state, std::size_t block, Rng& rng) const;
  void draw_variances(State& state, Rng& rng) const;
  [[nodiscard]] bool move_theta(State& state, Rng& rng) const;
  void move_n(State& state, Rng& rng) const;

  const LogisticProblem& problem_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the chain
  const model::Study& study_;       // NOLINT(*-avoid-const-or-ref-data-members): likewise
  CollapsedGradients gradients_;
  std::vector<Cholesky> sampling_;  ///< of the blocks' covariances alone
  bool latent_;
  double n_step_ = 1;
};

}  // namespace postern::infer
