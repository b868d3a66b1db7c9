#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/kinds/logistic_regression.hpp"
#include "postern/model/study.hpp"

#include "collapsed.hpp"

namespace postern::infer {

/// A Markov chain on the coefficients and on all records behind noisy gradients. Targets their posterior
/// exactly: terms are rounded as the owner rounds them, and nothing is taken to be normal.
///
/// A step draws every record anew, block by block, from the law of the features and the odds at the
/// coefficients, accepted by what that does to the noise; moves the coefficients given all labels; and moves
/// them together with the labels, each of which is held by the uniform number that made it. The first kind of
/// move is at home where noise is little, the second where it is much.
class LatentRecordsChain {
 public:
  struct State {
    std::vector<double> theta;              ///< of scaled columns
    std::vector<std::int64_t> w;            ///< record after record, times kGradientSteps
    std::vector<bool> y;                    ///< labels
    std::vector<std::int64_t> at_gradient;  ///< probabilities at each gradient's coefficients, 2^-20
    std::vector<std::int64_t> sums;         ///< exact gradients, one after the other
    double log_noise = 0;
    double block = 1;         ///< records that are drawn anew at once
    double inner_length = 1;  ///< of moves given labels
    double outer_length = 1;  ///< of moves with labels
    std::size_t steps = 0;
  };
  struct Info {
    int accepted = 0;
  };

  /// @pre n is known; the problem and the study outlive it
  LatentRecordsChain(const LogisticProblem& problem, const model::Study& study);

  [[nodiscard]] State init(Rng& rng) const;
  Info step(State& state, Rng& rng) const;
  [[nodiscard]] std::size_t quantities() const { return problem_.size; }
  /// Coefficients in the units of the columns.
  void read(const State& state, std::span<double> out) const;
  /// The exact gradients, one after the other, in released units.
  void latents(const State& state, std::span<double> out, Rng& rng) const;

 private:
  struct Record {
    std::vector<std::int64_t> w;
    std::vector<std::int64_t> at_gradient;
    bool y = false;
  };
  [[nodiscard]] Record draw_record(const std::vector<double>& theta, Rng& rng) const;
  void add_terms(const State& state, std::size_t record, int sign, std::vector<std::int64_t>& sums) const;
  void put(State& state, std::size_t at, const Record& record) const;
  [[nodiscard]] double log_noise(const std::vector<std::int64_t>& sums) const;
  [[nodiscard]] double odds(const State& state, std::size_t record, const std::vector<double>& theta) const;
  [[nodiscard]] double log_labels(const State& state, const std::vector<double>& theta) const;
  [[nodiscard]] std::vector<double> proposed(const State& state, const Cholesky& precision, double length,
                                             Rng& rng) const;
  [[nodiscard]] bool redraw(State& state, std::size_t from, std::size_t to, Rng& rng) const;
  double redraw_all(State& state, Rng& rng) const;
  double move_given_labels(State& state, Rng& rng) const;
  double move_with_labels(State& state, Rng& rng) const;

  const LogisticProblem& problem_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the chain
  const model::Study& study_;       // NOLINT(*-avoid-const-or-ref-data-members): likewise
  CollapsedGradients gradients_;
  Cholesky information_;  ///< of the records about the coefficients
  model::CovariateLaw features_;
  model::GradientEntries entries_;
  std::vector<std::vector<std::int64_t>> thetas_;  ///< of the gradients, in units of 2^-16
  std::size_t n_;
};

}  // namespace postern::infer
