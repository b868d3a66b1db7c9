#include <algorithm>
#include <array>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"

// A few records at a time, drawn afresh together: what one adds less another may add more. Which records they
// are does not depend on what they hold, so that prior and proposal cancel and the noise alone decides; under
// epsilon-DP the acceptance of B records is at least e^{-B epsilon}. Where noise is small against what one
// record adds and levels are few, single swaps can only exchange like for like, and datasets of the same sums
// are passed between by blocks alone.

namespace postern::infer {
namespace {

constexpr std::size_t kMostInBlock = 4;

/// 2, 3 or 4, the small ones more often; no more than n.
std::size_t draw_block_size(std::size_t n, Rng& rng) {
  const double u = rng.uniform();
  return std::min<std::size_t>(n, u < 0.5 ? 2 : u < 0.75 ? 3 : kMostInBlock);
}

}  // namespace

std::size_t RecordChain::swap_blocks(State& state, std::size_t tries, Rng& rng) const {
  const std::size_t n = state.t.size();
  std::size_t accepted = 0;
  if (n < 2) return accepted;
  std::array<std::size_t, kMostInBlock> who{};
  std::array<double, kMostInBlock> t{};
  std::array<std::int32_t, kMostInBlock> k{};
  const WholeTable* table = tabulate(state, state.theta, 3 * tries);
  for (std::size_t i = 0; i < tries; ++i) {
    const std::size_t size = draw_block_size(n, rng);
    for (std::size_t j = 0; j < size; ++j) {
      do {
        who[j] = draw_below(n, rng);
      } while (std::find(who.begin(), who.begin() + j, who[j]) != who.begin() + j);
    }
    draw_records(state.mass, table, std::span(t).first(size), std::span(k).first(size), rng);
    Totals next = state.totals;
    for (std::size_t j = 0; j < size; ++j) next = exchanged(next, k[j], state.k[who[j]], finder_);
    const double ratio = noise_.log_ratio(next, state.totals);
    if (!(ratio >= 0 || rng.uniform() < std::exp(ratio))) continue;
    for (std::size_t j = 0; j < size; ++j) {
      state.t[who[j]] = t[j];
      state.k[who[j]] = k[j];
    }
    state.totals = next;
    ++accepted;
  }
  return accepted;
}

}  // namespace postern::infer
