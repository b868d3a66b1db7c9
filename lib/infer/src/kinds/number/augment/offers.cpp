#include <algorithm>
#include <bit>
#include <cmath>

#include "postern/infer/kinds/number/augment/record_chain.hpp"

// Single offer, multiple attempts (SOMA, Xiong & Ju 2025): t' ~ law(theta) is offered to all records; record
// i takes it with weight w_i, the noise of the sums if it did. Afterwards the record's old t is what the
// reverse move must offer. For j other than i the sums after taking that back are those of w_j, so the
// reverse weights differ in one term: W' = W - w_i + w, w the noise of the sums as they are. Accept with
// probability min(1, W / W').

namespace postern::infer {
namespace {

/// e^x for x <= 0 to about 1e-15, without a branch, so that a loop over it is vectorised. Below -700: about
/// 1e-304.
double exp_below_zero(double x) {
  constexpr double kRound = 0x1.8p52;  // adding it leaves a whole number in the low bits
  x = x < -700 ? -700 : x;
  const double shifted = x * 0x1.71547652b82fep0 + kRound;
  const double whole = shifted - kRound;
  const double r = (x - whole * 0x1.62e42fefa38p-1) - whole * 0x1.ef35793c7673p-45;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1;
  p = p * r + 1;
  return p * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
}

}  // namespace

/// Leaves the logarithms of the weights, relative to the noise of the sums as they are, in other_t.
void RecordChain::weigh_offer(State& state, std::int32_t k) const {
  const std::size_t n = state.t.size();
  const std::int32_t* old = state.k.data();
  double* out = state.other_t.data();
  if (noise_.one_kink()) {
    const auto [at, rate] = noise_.sums().kinks().front();
    const double residual = state.totals.sum - at;
    const double base = residual + k;
    const double here = rate * std::abs(residual);
    for (std::size_t i = 0; i < n; ++i) out[i] = here - rate * std::abs(base - old[i]);
    return;
  }
  for (std::size_t i = 0; i < n; ++i)
    out[i] = noise_.log_ratio(exchanged(state.totals, k, old[i], finder_), state.totals);
}

bool RecordChain::offer_record(State& state, Rng& rng) const {
  const std::size_t n = state.t.size();
  if (n == 0) return false;
  double t = 0;
  std::int32_t k = 0;
  draw_records(state.mass, nullptr, {&t, 1}, {&k, 1}, rng);
  state.other_t.resize(n);
  weigh_offer(state, k);
  double* weight = state.other_t.data();
  const double best = std::max(0.0, *std::max_element(weight, weight + n));
  for (std::size_t i = 0; i < n; ++i) weight[i] = exp_below_zero(weight[i] - best);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += weight[i];
  double left = rng.uniform() * sum;
  std::size_t taker = 0;
  for (; taker + 1 < n && left >= weight[taker]; ++taker) left -= weight[taker];
  const double reverse = sum - weight[taker] + exp_below_zero(-best);
  if (!(rng.uniform() * reverse < sum)) return false;
  state.totals = exchanged(state.totals, k, state.k[taker], finder_);
  state.t[taker] = t;
  state.k[taker] = k;
  return true;
}

}  // namespace postern::infer
