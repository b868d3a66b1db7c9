#include "chain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::infer {
namespace {

constexpr std::int64_t kLargestResizing = 1024;

bool accepts(double log_ratio, Rng& rng) { return -draw_exponential(rng) < log_ratio; }

/// Takes `by` records out, every set of so many with the same probability.
void take_out(std::vector<std::int64_t>& counts, std::int64_t n, std::int64_t by, Rng& rng) {
  for (; by > 0; --by, --n) {
    auto at = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(n), rng));
    std::size_t level = 0;
    while (at >= counts[level]) at -= counts[level++];
    --counts[level];
  }
}

}  // namespace

ChoiceChain::ChoiceChain(const ChoiceProblem& problem)
    : problem_(problem),
      quantities_(problem.law->names().size()),
      latent_(std::holds_alternative<LatentTotal>(problem.total)) {
  if (!latent_) return;
  ++quantities_;
  at_most_ = std::get<LatentTotal>(problem.total).at_most;
  double deviation = static_cast<double>(at_most_);
  for (const NoisyValue& value : problem.counts)
    deviation = std::min(deviation, std::sqrt(release::variance(value.law)));
  const std::int64_t most = std::min(kLargestResizing, static_cast<std::int64_t>(std::ceil(2 * deviation)));
  for (std::int64_t size = 1; size <= most; size *= 4) sizes_.push_back(size);
}

ChoiceChain::State ChoiceChain::init(Rng& rng) const {
  State state;
  state.n = problem_.about();
  state.counts.assign(problem_.choices.levels(), 0);
  state.theta = problem_.law->draw(state.counts, rng);
  std::vector<double> p;
  problem_.law->probabilities(state.theta, p);
  draw_multinomial(state.n, p, state.counts, rng);
  state.log_choices = problem_.choices.log_at(state.counts);
  return state;
}

bool ChoiceChain::redraw(State& state, double share, Rng& rng) const {
  std::vector<std::int64_t> kept = state.counts;
  std::int64_t out = 0;
  if (share > 0) {
    for (std::int64_t& count : kept) {
      const std::int64_t taken = share == 1 ? count : draw_binomial(count, share, rng);
      count -= taken;
      out += taken;
    }
  }
  LevelLaw::Theta theta = problem_.law->draw(kept, rng);
  std::vector<double> p;
  problem_.law->probabilities(theta, p);
  if (!(std::accumulate(p.begin(), p.end(), 0.0) > 0)) return false;
  const double odds = problem_.law->log_excess(theta, kept) - problem_.law->log_excess(state.theta, kept);
  std::vector<std::int64_t> counts(p.size());
  draw_multinomial(out, p, counts, rng);
  for (std::size_t x = 0; x < counts.size(); ++x) counts[x] += kept[x];
  const double log_choices = share > 0 ? problem_.choices.log_at(counts) : state.log_choices;
  if (!accepts(odds + log_choices - state.log_choices, rng)) return false;
  state.theta = std::move(theta);
  state.counts = std::move(counts);
  state.log_choices = log_choices;
  return true;
}

bool ChoiceChain::resize(State& state, std::int64_t by, Rng& rng) const {
  const std::int64_t n = state.n + by;
  if (n < 0 || n > at_most_) return false;
  std::vector<std::int64_t> counts = state.counts;
  if (by < 0) {
    take_out(counts, state.n, -by, rng);
  } else {
    std::vector<double> p;
    problem_.law->probabilities(state.theta, p);
    std::vector<std::int64_t> added(p.size());
    draw_multinomial(by, p, added, rng);
    for (std::size_t x = 0; x < counts.size(); ++x) counts[x] += added[x];
  }
  const double log_choices = problem_.choices.log_at(counts);
  const double slope = std::get<LatentTotal>(problem_.total).log_slope * static_cast<double>(by);
  if (!accepts(slope + problem_.log_total(n) - problem_.log_total(state.n) + log_choices - state.log_choices,
               rng))
    return false;
  state.counts = std::move(counts);
  state.n = n;
  state.log_choices = log_choices;
  return true;
}

ChoiceChain::Info ChoiceChain::step(State& state, Rng& rng) const {
  Info info;
  const double least = 1 / std::max(1.0, static_cast<double>(state.n));
  for (double share = 1; share >= least; share /= 2) info.accepted += redraw(state, share, rng) ? 1 : 0;
  info.accepted += redraw(state, 0, rng) ? 1 : 0;
  for (const std::int64_t size : sizes_)
    info.accepted += resize(state, rng.uniform() < 0.5 ? size : -size, rng) ? 1 : 0;
  return info;
}

void ChoiceChain::read(const State& state, std::span<double> out) const {
  problem_.law->report(state.theta, out);
  if (latent_) out[quantities_ - 1] = static_cast<double>(state.n);
}

}  // namespace postern::infer
