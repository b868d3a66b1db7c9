#include "row_shares.hpp"

#include <algorithm>
#include <numeric>

namespace postern::infer {
namespace {

/// Multiplies weight(s) by factor + s.
void raise(Message& message, double factor) {
  for (std::size_t i = 0; i < message.weight.size(); ++i)
    message.weight[i] *= factor + static_cast<double>(message.lo) + static_cast<double>(i);
}

}  // namespace

RowShares row_shares(const RowMessage& row, std::span<const double> alpha, Window totals) {
  const SumTree& tree = row.tree();
  const double alpha0 = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  RowShares out{std::vector<std::vector<double>>(alpha.size(), std::vector<double>(totals.size())),
                std::vector<std::vector<double>>(alpha.size(), std::vector<double>(totals.size()))};
  tree.visit_outside([&](std::size_t k, const Message& outside) {
    Message mine = tree.leaf(k);
    raise(mine, alpha[k]);
    const Message first = convolve(mine, outside, totals, tree.shape().care).message;
    raise(mine, alpha[k] + 1);
    const Message second = convolve(mine, outside, totals, tree.shape().care).message;
    for (std::size_t i = 0; i < totals.size(); ++i) {
      const std::int64_t n = totals.lo + static_cast<std::int64_t>(i);
      const double weight = tree.weight_of(n);
      if (!(weight > 0)) continue;
      const double whole = alpha0 + static_cast<double>(n);
      out.first[k][i] = std::min(first.at(n) / (weight * whole), 1.0);
      out.second[k][i] = std::min(second.at(n) / (weight * whole * (whole + 1)), 1.0);
    }
  });
  return out;
}

}  // namespace postern::infer
