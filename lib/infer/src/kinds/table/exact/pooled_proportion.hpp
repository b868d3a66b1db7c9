#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/table/problem.hpp"

#include "beta_mixture.hpp"

namespace postern::infer {

/// One proportion behind several disjoint record sets with public n: theta ~ Beta, s_g ~ Binomial(n_g, theta)
/// seen through noise. Given S = sum s_g, theta is Beta(a + S, b + N - S), and S has weight B(a + S, b + N -
/// S) times the convolution of C(n_g, s) prod noise(y - s); convolved in logs, so that nothing is lost far
/// from the mode.
class PooledProportion {
 public:
  /// `cell`: which of the two cells is counted. @pre fits(groups)
  PooledProportion(std::span<const double> alpha, std::size_t cell, std::span<const CountProblem> groups);
  /// Is the convolution small enough?
  [[nodiscard]] static bool fits(std::span<const CountProblem> groups);
  [[nodiscard]] const BetaMixture& mixture() const { return mixture_; }
  [[nodiscard]] double log_evidence() const { return log_evidence_; }
  [[nodiscard]] double draw(Rng& rng) const;

 private:
  double a_, b_;
  double trials_ = 0;
  std::vector<double> cumulative_;  ///< of the weights of S, ends at 1
  BetaMixture mixture_;
  double log_evidence_ = 0;
};

}  // namespace postern::infer
