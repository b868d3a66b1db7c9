#pragma once

#include "beta_mixture.hpp"
#include "count_tree.hpp"
#include "counts/message.hpp"

namespace postern::infer {

/// alpha of a cell, and of all the others together.
struct AlphaSplit {
  double mine = 0;
  double others = 0;
};

/// One cell given y.
struct CellPosterior {
  Message count;  ///< P(s_k = s | y)
  BetaMixture theta;
  bool rough = false;  ///< theta may be wrong by a few percent of the cdf
};

/// Given the cell's count s and the sum r of the others theta_k is Beta(alpha_k + s, alpha_rest + r), and the
/// weight of (s, r) is mine(s) outside(r) h(s + r). Few totals (or one) are summed one by one: exact. Many
/// are averaged over interpolation nodes of r (SmoothNodes), close enough for an error of 1e-12 in the cdf.
/// Where that would take more than some megabytes a cell, the error allowed is 1e-8, then the nodes are set
/// wider than a single Beta needs (rough): counts, means and sds stay right, but the cdf, smooth as it is
/// after the sum over s, has been seen to err by 0.02. LogOddsLaw has no such trouble.
/// `Size::generous`: a hundred megabytes instead.
enum class Size { modest, generous };
[[nodiscard]] CellPosterior make_cell_posterior(const Message& mine, const Message& outside, AlphaSplit alpha,
                                                const CountTree& tree, Size size = Size::modest);

}  // namespace postern::infer
