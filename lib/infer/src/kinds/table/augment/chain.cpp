#include "chain.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/kinds/table/augment/records.hpp"

namespace postern::infer {
namespace {

constexpr std::int64_t kSwaps = 64;  ///< a step and set, or as many as there are records
constexpr int kBlocks = 8;
constexpr std::int64_t kOffers = 8;
constexpr std::int64_t kJoinings = 16;

bool accepted(double log_ratio, Rng& rng) { return log_ratio >= 0 || rng.uniform() < std::exp(log_ratio); }

}  // namespace

static_assert(Kernel<TableChain>);

TableChain::TableChain(const PooledCounts& problem)
    : tables_(problem.alpha, problem.reported, problem.datasets, CountMoves::none) {}

TableChain::State TableChain::init(Rng& rng) const {
  State state;
  state.table = tables_.init(rng);
  for (auto* row : {&state.theta, &state.below, &state.weight}) row->resize(tables_.cells());
  state.next.resize(tables_.cells());
  state.drawn.resize(tables_.cells());
  state.log_block.assign(tables_.datasets(), 1.0);
  return state;
}

void TableChain::lay_out_theta(State& state) const {
  const double norm = log_sum_exp(state.table.log_theta);
  double sum = 0;
  for (std::size_t k = 0; k < state.theta.size(); ++k) {
    state.theta[k] = std::exp(state.table.log_theta[k] - norm);
    sum += state.theta[k];
    state.below[k] = sum;
  }
}

std::size_t TableChain::draw_level(const State& state, Rng& rng) const {
  const double u = rng.uniform() * state.below.back();
  const auto level = std::upper_bound(state.below.begin(), state.below.end(), u) - state.below.begin();
  return std::min(static_cast<std::size_t>(level), state.below.size() - 1);
}

std::size_t TableChain::draw_record(std::span<const std::int64_t> count, std::int64_t n, Rng& rng) {
  auto left = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(n), rng));
  std::size_t level = 0;
  for (; left >= count[level]; ++level) left -= count[level];
  return level;
}

double TableChain::log_moved(std::span<const std::int64_t> count, std::size_t d, std::size_t from,
                             std::size_t to) const {
  if (from == to) return 0;
  const auto a = static_cast<double>(count[from]);
  const auto b = static_cast<double>(count[to]);
  return tables_.noise(d, from).log_ratio(a - 1, a) + tables_.noise(d, to).log_ratio(b + 1, b);
}

/// Prior and proposal cancel; the noise alone decides.
void TableChain::swap_record(State& state, std::size_t d, Rng& rng) const {
  const std::span<std::int64_t> count = counts(state, d);
  const std::size_t from = draw_record(count, state.table.total[d], rng);
  const std::size_t to = draw_level(state, rng);
  if (from == to || !accepted(log_moved(count, d, from, to), rng)) return;
  --count[from];
  ++count[to];
}

/// Which records take part does not depend on their levels, so prior and proposal cancel here as well.
void TableChain::swap_block(State& state, std::size_t d, Rng& rng) const {
  const std::span<std::int64_t> count = counts(state, d);
  const auto n = static_cast<double>(state.table.total[d]);
  const double size = std::exp(state.log_block[d] + 2 * (rng.uniform() - 0.6));
  const double share = std::min(size / n, 1.0);
  std::int64_t taken = 0;
  for (std::size_t k = 0; k < count.size(); ++k) {
    const std::int64_t leaving = share < 1 ? draw_binomial(count[k], share, rng) : count[k];
    state.next[k] = count[k] - leaving;
    taken += leaving;
  }
  draw_multinomial(taken, state.theta, state.drawn, rng);
  double log_ratio = 0;
  for (std::size_t k = 0; k < count.size(); ++k) {
    state.next[k] += state.drawn[k];
    log_ratio +=
        tables_.noise(d, k).log_ratio(static_cast<double>(state.next[k]), static_cast<double>(count[k]));
  }
  const bool taken_over = accepted(log_ratio, rng);
  if (taken_over) std::copy(state.next.begin(), state.next.end(), count.begin());
  if (state.steps == kTuning) return;
  state.log_block[d] += 10.0 / (20 + state.steps) * ((taken_over ? 1 : 0) - 0.35);
  state.log_block[d] = std::clamp(state.log_block[d], 0.0, std::log(n) + 1);
}

/// One level that all records are offered (offers.cpp has the reasoning). All of one level weigh the same.
void TableChain::offer_level(State& state, std::size_t d, Rng& rng) const {
  const std::span<std::int64_t> count = counts(state, d);
  const std::size_t to = draw_level(state, rng);
  double best = 0;
  for (std::size_t k = 0; k < count.size(); ++k) {
    state.weight[k] = count[k] > 0 ? log_moved(count, d, k, to) : kMinusInfinity;
    best = std::max(best, state.weight[k]);
  }
  double sum = 0;
  for (std::size_t k = 0; k < count.size(); ++k) {
    state.weight[k] = std::exp(state.weight[k] - best);
    sum += static_cast<double>(count[k]) * state.weight[k];
  }
  double left = rng.uniform() * sum;
  std::size_t from = count.size();
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (count[k] == 0) continue;
    from = k;
    left -= static_cast<double>(count[k]) * state.weight[k];
    if (left < 0) break;
  }
  const double reverse = sum - state.weight[from] + std::exp(-best);
  if (from == to || !(rng.uniform() * reverse < sum)) return;
  --count[from];
  ++count[to];
}

/// Records are a sequence whose law does not depend on their order, and the one that leaves is the last: no
/// factor n + 1 comes in.
void TableChain::join_or_leave(State& state, std::size_t d, Rng& rng) const {
  const std::span<std::int64_t> count = counts(state, d);
  std::int64_t& n = state.table.total[d];
  const int change = rng.uniform() < 0.5 ? 1 : -1;
  if (n + change < 0 || n + change > tables_.most(d)) return;
  const std::size_t level = change > 0 ? draw_level(state, rng) : draw_record(count, n, rng);
  const auto before = static_cast<double>(count[level]);
  const double log_ratio = tables_.noise(d, level).log_ratio(before + change, before);
  if (!accepted(log_ratio + tables_.log_slope(d) * change, rng)) return;
  count[level] += change;
  n += change;
}

TableChain::Info TableChain::step(State& state, Rng& rng) const {
  lay_out_theta(state);
  for (std::size_t d = 0; d < tables_.datasets(); ++d) {
    for (std::int64_t i = 0; tables_.latent() && i < std::min(tables_.most(d), kJoinings); ++i)
      join_or_leave(state, d, rng);
    const std::int64_t n = state.table.total[d];
    if (n == 0) continue;
    for (std::int64_t i = 0; i < std::min(n, kSwaps); ++i) swap_record(state, d, rng);
    for (int i = 0; n > 1 && i < kBlocks; ++i) swap_block(state, d, rng);
    for (std::int64_t i = 0; i < std::min(n, kOffers); ++i) offer_level(state, d, rng);
  }
  static_cast<void>(tables_.step(state.table, rng));
  state.steps = std::min(state.steps + 1, kTuning);
  return {};
}

ChainRun draw_augmented_table(const PooledCounts& problem, const DriverOptions& options,
                              const Conversation& conversation) {
  DriverOptions tuned = options;
  tuned.first_stage = std::max<std::size_t>(options.first_stage, TableChain::kTuning);
  return run_chains(TableChain(problem), tuned, conversation);
}

}  // namespace postern::infer
