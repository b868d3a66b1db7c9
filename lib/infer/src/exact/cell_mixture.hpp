#pragma once

#include "exact/beta_mixture.hpp"
#include "exact/message.hpp"

namespace postern::infer {

/// alpha of a cell, and of all the others together.
struct AlphaSplit {
  double mine = 0;
  double others = 0;
};

/// How far a mixture may be from the sum that defines it.
struct Accuracy {
  double error = 1e-12;       ///< of the cdf
  double negligible = 1e-18;  ///< probabilities below this part of the largest are left out
};

/// theta_k given y when n is known: sum_s P(s | y) Beta(alpha_k + s, alpha_rest + n - s).
/// `marginal` is P(s_k = s | y).
[[nodiscard]] BetaMixture mixture_of_known_total(const Message& marginal, AlphaSplit alpha, std::int64_t n);

}  // namespace postern::infer
