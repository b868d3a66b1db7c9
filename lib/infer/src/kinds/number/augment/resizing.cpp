#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"

// n is latent. Records are a sequence, whose law does not depend on their order: m new ones are put at the
// end, or the last m are removed. Each is the other's reverse, new records have the law's own density, and so
// prior of n and noise decide alone; no factor n + 1 comes in (it would if a set of records were the state).
// m has one law, log-uniform, whatever n is; a move below 0 or past the largest n is a rejection.

namespace postern::infer {
namespace {

constexpr int kProposals = 8;       ///< a step
constexpr std::size_t kMixed = 16;  ///< this many last records are exchanged with any before a move

}  // namespace

/// m or -m.
double RecordChain::draw_change(Rng& rng) const {
  const double m = std::floor(std::exp(rng.uniform() * std::log(most_ + 1)));
  return rng.uniform() < 0.5 ? m : -m;
}

void RecordChain::resize(State& state, Rng& rng) const {
  const double slope = std::get<LatentTotal>(problem_.total).log_slope;
  for (int i = 0; i < kProposals; ++i) {
    const double change = draw_change(rng);
    const auto m = static_cast<std::size_t>(std::abs(change));
    const std::size_t n = state.t.size();
    for (std::size_t j = 1; j <= std::min({m, n, kMixed}); ++j) {
      const std::size_t other = draw_below(n, rng);
      std::swap(state.t[n - j], state.t[other]);
      std::swap(state.k[n - j], state.k[other]);
    }
    const double size = state.totals.n + change;
    const double log_u = std::log(rng.uniform()) - slope * change;
    // What no sums could repair needs no records.
    if (size < 0 || size > most_ || !(log_u < noise_.max_log_gain(size, state.totals))) continue;
    if (change > 0) {
      add_records(state, m, log_u, rng);
    } else {
      remove_records(state, m, log_u);
    }
  }
}

void RecordChain::add_records(State& state, std::size_t m, double log_u, Rng& rng) const {
  const std::size_t n = state.t.size();
  state.t.resize(n + m);
  state.k.resize(n + m);
  draw_records(state.mass, tabulate(state, state.theta, m), std::span(state.t).subspan(n),
               std::span(state.k).subspan(n), rng);
  const Totals more = add_up(std::span(state.k).subspan(n));
  const Totals next{state.totals.n + more.n, state.totals.sum + more.sum, state.totals.squares + more.squares,
                    state.totals.inside + more.inside};
  if (log_u < noise_.log_ratio(next, state.totals)) {
    state.totals = next;
    return;
  }
  state.t.resize(n);
  state.k.resize(n);
}

void RecordChain::remove_records(State& state, std::size_t m, double log_u) const {
  const std::size_t kept = state.t.size() - m;
  const Totals less = add_up(std::span(state.k).subspan(kept));
  const Totals next{state.totals.n - less.n, state.totals.sum - less.sum, state.totals.squares - less.squares,
                    state.totals.inside - less.inside};
  if (!(log_u < noise_.log_ratio(next, state.totals))) return;
  state.t.resize(kept);
  state.k.resize(kept);
  state.totals = next;
}

}  // namespace postern::infer
