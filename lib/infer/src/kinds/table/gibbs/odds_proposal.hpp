#pragma once

#include "postern/core/rng.hpp"

namespace postern::infer {

/// Proposals for log odds x with weight r^a (1-r)^b, r = 1 / (1 + e^-x): a Beta(a, b) law, to which a move
/// adds what the noise of some datasets says. Three in ten are random steps, their size spread over an order
/// of magnitude. The others do not depend on where the chain is: they come from that Beta law or, more often,
/// from around what the noisy values suggest (Student's t of 4 degrees), and are weighed as the mixture they
/// are, so that the chain passes between empty and filled cells, which steps would hardly do.
/// The prior, counts and values added may be only such as the move leaves as they are.
class OddsProposal {
 public:
  OddsProposal(double prior_first, double prior_second);
  /// Counts that stay: they weigh the odds as they are.
  void add_counts(double first, double second);
  /// A suggestion about the odds first : second, `information` in units of log odds.
  void add_guess(double first, double second, double information);
  /// What random steps should allow for besides: how sharply noise and counts fix the odds.
  void add_sharpness(double information) { sharpness_ += information; }

  struct Step {
    double to = 0;
    double log_ratio = 0;  ///< of the weight r^a (1-r)^b and of the proposal; without the noise
  };
  [[nodiscard]] Step draw(double from, Rng& rng) const;

 private:
  [[nodiscard]] double log_density(double x) const;

  double a_, b_;
  double centre_ = 0;
  double information_ = 0.05;
  double sharpness_;
};

/// Did a proposal of this log ratio pass?
[[nodiscard]] bool accept(double log_ratio, Rng& rng);
/// A step for log odds of the given information, its size spread over an order of magnitude.
[[nodiscard]] double draw_step(double information, Rng& rng);

}  // namespace postern::infer
