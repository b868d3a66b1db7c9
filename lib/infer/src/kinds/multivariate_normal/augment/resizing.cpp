#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"

// n is latent. Records are a sequence, whose law does not depend on their order: m new ones are put at the
// end, or the last m are removed. Each is the other's reverse, new records have the law's own density, and so
// prior of n and noise decide alone. m has one law, log-uniform, whatever n is; a move below 0 or past the
// largest n is a rejection.

namespace postern::infer {
namespace {

constexpr int kProposals = 8;       ///< a step
constexpr std::size_t kMixed = 16;  ///< this many last records are exchanged with any before a move

VectorTotals plus(const VectorTotals& a, const VectorTotals& b, double sign) {
  VectorTotals out = a;
  out.n += sign * b.n;
  for (std::size_t s = 0; s < kMostSums; ++s) out.sum[s] += sign * b.sum[s];
  return out;
}

}  // namespace

void VectorChain::resize(const MeanAndSpread& theta, const Set& set, Records& records, Rng& rng) const {
  const auto cut = [&](std::size_t size) {
    for (std::size_t i = 0; i < d_; ++i) {
      records.x[i].resize(size);
      records.k[i].resize(size);
    }
  };
  for (int p = 0; p < kProposals; ++p) {
    const double m = std::floor(std::exp(rng.uniform() * std::log(set.most_change + 1)));
    const double change = rng.uniform() < 0.5 ? m : -m;
    const std::size_t n = records.size();
    for (std::size_t r = 1; r <= std::min({static_cast<std::size_t>(m), n, kMixed}); ++r) {
      const std::size_t other = draw_below(n, rng);
      for (std::size_t i = 0; i < d_; ++i) {
        std::swap(records.x[i][n - r], records.x[i][other]);
        std::swap(records.k[i][n - r], records.k[i][other]);
      }
    }
    const double size = records.totals.n + change;
    const double log_u = std::log(rng.uniform()) - set.log_slope * change;
    // What no sums could repair needs no records.
    if (size < 0 || size > set.most || !(log_u < set.noise.max_log_gain(size, records.totals))) continue;
    const auto end = static_cast<std::size_t>(size);
    if (change > 0) {
      cut(end);
      std::array<double*, kMostColumns> x{};
      std::array<std::int32_t*, kMostColumns> k{};
      for (std::size_t i = 0; i < d_; ++i) {
        x[i] = records.x[i].data() + n;
        k[i] = records.k[i].data() + n;
      }
      draw_records(theta, set, x, k, end - n, rng);
    }
    const VectorTotals part = add_up(records.k, std::min(n, end), std::max(n, end));
    const VectorTotals next = plus(records.totals, part, change > 0 ? 1 : -1);
    const bool accepted = log_u < set.noise.log_ratio(next, records.totals);
    cut(accepted ? end : n);
    if (accepted) records.totals = next;
  }
}

}  // namespace postern::infer
