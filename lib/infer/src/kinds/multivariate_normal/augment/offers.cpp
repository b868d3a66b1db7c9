#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"

// SOMA, as for numbers: x' ~ Normal(mu, Sigma) is offered to all records; record r takes it with weight w_r,
// the noise of the sums if it did. The reverse weights differ in one term: W' = W - w_r + w, w the noise of
// the sums as they are. Accept with probability min(1, W / W').

namespace postern::infer {
namespace {

/// Adds to `out` the log noise of one sum if each record in turn gave its product a b for `to`.
void weigh(const SumEvidence& noise, double now, double to, std::span<const std::int32_t> a,
           const std::int32_t* b, std::vector<double>& out) {
  double* at = out.data();
  if (noise.one_kink()) {
    const auto [place, rate] = noise.kinks().front();
    const double base = now - place + to;
    const double here = rate * std::abs(now - place);
    for (std::size_t r = 0; r < a.size(); ++r)
      at[r] += here - rate * std::abs(base - double{1} * a[r] * (b == nullptr ? 1 : b[r]));
    return;
  }
  for (std::size_t r = 0; r < a.size(); ++r) {
    const double from = double{1} * a[r] * (b == nullptr ? 1 : b[r]);
    at[r] += noise.log_ratio(now + (to - from), now);
  }
}

}  // namespace

bool VectorChain::offer_record(const MeanAndSpread& theta, const Set& set, Records& records, Rng& rng) const {
  const std::size_t n = records.size();
  if (n == 0) return false;
  Row x{};
  std::array<std::int32_t, kMostColumns> k{};
  std::array<double*, kMostColumns> x_at{};
  std::array<std::int32_t*, kMostColumns> k_at{};
  for (std::size_t i = 0; i < d_; ++i) {
    x_at[i] = &x[i];
    k_at[i] = &k[i];
  }
  draw_records(theta, set, x_at, k_at, 1, rng);
  std::vector<double>& weight = records.weight;
  weight.assign(n, 0.0);
  for (std::size_t i = 0; i < d_; ++i) {
    if (set.noise[i].seen()) weigh(set.noise[i], records.totals.sum[i], k[i], records.k[i], nullptr, weight);
    for (std::size_t j = i; j < d_; ++j) {
      const std::size_t s = d_ + packed(i, j, d_);
      if (!set.noise[s].seen()) continue;
      weigh(set.noise[s], records.totals.sum[s], double{1} * k[i] * k[j], records.k[i], records.k[j].data(),
            weight);
    }
  }
  const double best = std::max(0.0, *std::max_element(weight.begin(), weight.end()));
  double sum = 0;
  for (double& w : weight) {
    w = std::exp(w - best);
    sum += w;
  }
  double left = rng.uniform() * sum;
  std::size_t taker = 0;
  for (; taker + 1 < n && left >= weight[taker]; ++taker) left -= weight[taker];
  const double reverse = sum - weight[taker] + std::exp(-best);
  if (!(rng.uniform() * reverse < sum)) return false;
  VectorTotals& totals = records.totals;
  for (std::size_t i = 0; i < d_; ++i) {
    totals.sum[i] += k[i] - records.k[i][taker];
    for (std::size_t j = i; j < d_; ++j) {
      const double before = double{1} * records.k[i][taker] * records.k[j][taker];
      totals.sum[d_ + packed(i, j, d_)] += double{1} * k[i] * k[j] - before;
    }
  }
  for (std::size_t i = 0; i < d_; ++i) {
    records.x[i][taker] = x[i];
    records.k[i][taker] = k[i];
  }
  return true;
}

}  // namespace postern::infer
