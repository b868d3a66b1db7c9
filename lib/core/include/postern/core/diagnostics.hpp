#pragma once

#include <cstddef>
#include <span>

namespace postern {

/// Draws of one quantity: chain c at iteration i. All chains are equally long.
class ChainDraws {
 public:
  explicit ChainDraws(std::span<const std::span<const double>> chains) : chains_(chains) {}
  [[nodiscard]] std::size_t chains() const { return chains_.size(); }
  [[nodiscard]] std::size_t length() const { return chains_.empty() ? 0 : chains_.front().size(); }
  [[nodiscard]] std::span<const double> operator[](std::size_t chain) const { return chains_[chain]; }

 private:
  std::span<const std::span<const double>> chains_;
};

// Convergence of Markov chains (Vehtari et al. 2021). Every chain is split in two, so one chain is enough.
// NaN when a chain has fewer than four draws or a draw is not finite.

/// Rank-normalised split R-hat: the larger of that of the draws and that of their distances from the median.
/// NaN for draws that are all the same.
[[nodiscard]] double rank_rhat(const ChainDraws& draws);
/// Effective sample size for the middle of the distribution: that of the rank-normalised draws. As many as
/// there are draws when all are the same.
[[nodiscard]] double bulk_ess(const ChainDraws& draws);
/// The smaller of the effective sample sizes of the indicators of the 5 % and the 95 % quantile.
[[nodiscard]] double tail_ess(const ChainDraws& draws);

}  // namespace postern
