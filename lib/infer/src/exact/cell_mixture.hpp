#pragma once

#include <span>

#include "exact/beta_mixture.hpp"
#include "exact/count_tree.hpp"

namespace postern::infer {

/// alpha of a cell, and of all the others together.
struct AlphaSplit {
  double mine = 0;
  double others = 0;
};

/// theta_k given y when n is known: sum_s P(s | y) Beta(alpha_k + s, alpha_rest + n - s).
/// `marginal` is P(s_k = s | y).
[[nodiscard]] BetaMixture mixture_of_known_total(const Message& marginal, AlphaSplit alpha, std::int64_t n);

/// P(s_k = s | y), and P(r | y) of the sum r of the others.
struct PairMarginals {
  Message mine;
  Message others;
};

/// theta_k given y when n is latent. Given the cell's count s and the sum r of the others it is
/// Beta(alpha_k + s, alpha_rest + r), and the weight of (s, r) is mine(s) outside(r) h(s + r) for s + r <=
/// at_most. The marginals say which s and r are worth summing.
[[nodiscard]] BetaMixture mixture_of_latent_total(const Message& mine, const Message& outside,
                                                  const PairMarginals& marginals, AlphaSplit alpha,
                                                  const CountTree& tree);

}  // namespace postern::infer
