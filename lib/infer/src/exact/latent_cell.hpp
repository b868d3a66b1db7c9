#pragma once

#include "exact/beta_mixture.hpp"
#include "exact/cell_mixture.hpp"
#include "exact/count_tree.hpp"

namespace postern::infer {

/// One cell given y when n is latent.
struct LatentCell {
  Message count;  ///< P(s_k = s | y)
  BetaMixture theta;
};

/// Given the cell's count s and the sum r of the others theta_k is Beta(alpha_k + s, alpha_rest + r), and the
/// weight of (s, r) is mine(s) outside(r) h(s + r) for s + r <= at_most. Few pairs are summed one by one.
/// Many stand in for themselves on a grid of nodes (SmoothNodes), chosen for an error of 1e-12 in the cdf, or
/// of 1e-8 where that would take more than some 40,000 pairs; measured errors are about a thousand times
/// smaller.
[[nodiscard]] LatentCell make_latent_cell(const Message& mine, const Message& outside, AlphaSplit alpha,
                                          const CountTree& tree);

}  // namespace postern::infer
