#pragma once

#include <vector>

#include "postern/core/rng.hpp"

#include "problem.hpp"

namespace postern::infer {

/// The posterior of one parameter with the lower bound in place of the likelihood, on a grid of the
/// parameter's line, and how far the upper bound is from it.
class BoundPosterior {
 public:
  /// @pre one parameter, n known, bounds
  explicit BoundPosterior(const ChoiceProblem& problem);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sd() const { return sd_; }
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] double draw(Rng& rng) const { return quantile(rng.uniform()); }
  /// log upper - log lower at the mean, in nats.
  [[nodiscard]] double gap() const { return gap_; }
  [[nodiscard]] double log_lower() const { return log_lower_; }  ///< there
  /// The same where it is largest, of the mean and of points up to four standard deviations from it: the
  /// bounds may touch at the mean, and part beside it, and then the posterior is too narrow.
  [[nodiscard]] double largest_gap() const { return largest_gap_; }

 private:
  std::vector<double> at_;
  std::vector<double> cumulative_;
  double mean_ = 0;
  double sd_ = 0;
  double gap_ = 0;
  double largest_gap_ = 0;
  double log_lower_ = 0;
};

/// log upper - log lower for n records at these parameters. @pre problem.choices.has_bounds()
[[nodiscard]] double bounds_gap(const ChoiceProblem& problem, const LevelLaw::Theta& theta, double n);

}  // namespace postern::infer
