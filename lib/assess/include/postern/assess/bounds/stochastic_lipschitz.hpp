#pragma once

#include <cstddef>
#include <span>

namespace postern::assess {

// Posteriors that are Lipschitz only for most parameters (Zhang et al. 2016, Assumption 2, Lemma 3,
// Theorem 4.2). What they get is a bound of total variation, not an epsilon, and mostly one that says
// nothing: then it is vacuous.

/// The prior gives the parameters with a Lipschitz constant above L at most e^-(concentration L), for L >=
/// from.
struct StochasticLipschitz {
  double concentration = 0;
  double from = 0;
};

/// Of a coin with prior Beta(a, a): the largest such concentration.
[[nodiscard]] StochasticLipschitz beta_concentration(double a, double from);

/// Lemma 3, as the main text has it: of a network whose nodes have these concentrations from the same L on.
/// Not positive when there are too many nodes; nothing follows then.
[[nodiscard]] StochasticLipschitz network_concentration(std::span<const double> nodes, double from);

/// Largest likelihood over marginal likelihood of one record in a row: sum of alpha / least alpha.
[[nodiscard]] double likelihood_ratio(std::span<const double> alpha);

enum class Verdict {
  holds,         ///< total_variation < 1
  vacuous,       ///< total_variation >= 1: nothing is claimed
  inapplicable,  ///< the records are farther apart than the theorem allows, or the concentration is not
                 ///< positive
};

struct StochasticGuarantee {
  Verdict verdict = Verdict::vacuous;
  double constant = 0;  ///< M of the theorem
  /// |P(B | x) - P(B | y)| for every event B. Infinite if inapplicable.
  double total_variation = 0;
};

/// `ratio` is the product of likelihood_ratio over families, `distance` that of the two records, `slack` the
/// theorem's delta: distance <= (1 - slack) concentration. Fails with `usage` for numbers outside their
/// domain.
[[nodiscard]] StochasticGuarantee stochastic_guarantee(const StochasticLipschitz& prior, double ratio,
                                                       double distance, double slack);

}  // namespace postern::assess
