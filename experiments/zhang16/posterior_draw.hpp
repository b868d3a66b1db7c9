#pragma once

#include <array>
#include <vector>

#include "naive_bayes.hpp"
#include "truncated_beta.hpp"

namespace postern::zhang16 {

// Draws of all coins from posteriors under uniform priors that are cut to [omega, 1 - omega]. Idealised.

/// The likelihood to the power `tempering`.
class CutPosterior {
 public:
  CutPosterior(const Tables& counts, double omega, double tempering);
  [[nodiscard]] Coins draw(Rng& rng) const;

 private:
  TruncatedBeta one_;
  std::vector<std::array<TruncatedBeta, 2>> feature_;
};

/// The paper's omega, e^(-epsilon/2): it leaves nothing of [omega, 1 - omega] up to epsilon = 2 ln 2.
[[nodiscard]] double printed_omega(double epsilon);

/// log-likelihood of the coins, and the most it can be in the box.
[[nodiscard]] double log_likelihood(const Coins& coins, const Tables& counts);
[[nodiscard]] double best_log_likelihood(const Tables& counts, double omega);

}  // namespace postern::zhang16
