#include "postern/infer/kinds/number/augment/pooled_records.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {

PooledRecords::PooledRecords(const std::vector<NumberProblem>& problems)
    : law_(problems.front().law), prior_(problems.front().prior), parameters_(problems.front().parameters) {
  for (const NumberProblem& problem : problems) chains_.emplace_back(problem);
  double flat = chains_.front().flat_below();
  for (const RecordChain& chain : chains_) flat = std::min(flat, chain.flat_below());
  for (RecordChain& chain : chains_) chain.set_flat_below(flat);
}

PooledRecords::State PooledRecords::init(Rng& rng) const {
  State state;
  for (const RecordChain& chain : chains_) {
    state.sets.push_back(chain.init(rng));
    state.sets.back().alone = false;
  }
  return state;
}

/// Puts the records of all other sets into the prior of one.
bool PooledRecords::see_others(State& state, std::size_t set) const {
  model::Hyper prior = prior_;
  std::vector<KeptRecords>& dropping = state.sets[set].others;
  dropping.clear();
  for (std::size_t other = 0; other < chains_.size(); ++other) {
    if (other == set) continue;
    const auto seen = chains_[other].after(prior, state.sets[other].t);
    if (!seen) return false;
    prior = *seen;
    if (chains_[other].kept().drops())
      dropping.push_back({&chains_[other].kept(), static_cast<double>(state.sets[other].t.size())});
  }
  state.sets[set].prior = prior;
  return true;
}

PooledRecords::Info PooledRecords::step(State& state, Rng& rng) const {
  for (std::size_t set = 0; set < chains_.size(); ++set) {
    if (!see_others(state, set)) continue;
    static_cast<void>(chains_[set].step(state.sets[set], rng));
    for (RecordChain::State& other : state.sets) other.theta = state.sets[set].theta;
  }
  for (std::size_t p = 0; p < parameters_; ++p) move_all(state, p, rng);
  if (state.steps < RecordChain::kTuning) ++state.steps;
  return {};
}

bool PooledRecords::try_all(State& state, const model::Theta& theta, double log_u, Rng& rng) const {
  if (std::isnan(log_u)) return false;
  state.proposed.clear();
  for (std::size_t set = 0; set < chains_.size(); ++set) {
    RecordChain::State& at = state.sets[set];
    const auto totals = chains_[set].follow(at, theta, at.t.size(), rng);
    if (!totals) return false;
    log_u -= chains_[set].log_ratio(*totals, at);
    state.proposed.push_back(*totals);
  }
  if (!(log_u < 0)) return false;
  for (std::size_t set = 0; set < chains_.size(); ++set)
    RecordChain::take(state.sets[set], theta, state.proposed[set]);
  return true;
}

void PooledRecords::move_all(State& state, std::size_t parameter, Rng& rng) const {
  constexpr double kFromPrior = 0.15;  // share of proposals that are drawn from the prior
  const double log_u = std::log(rng.uniform());
  state.sets.front().prior = prior_;
  state.sets.front().others.clear();
  if (rng.uniform() < kFromPrior) {
    const auto proposal = chains_.front().leap(state.sets.front(), rng);
    static_cast<void>(try_all(state, proposal.theta, log_u - proposal.log_ratio, rng));
    return;
  }
  double& log_scale = state.log_scale[parameter];
  const double size = std::exp(log_scale + 2 * (rng.uniform() - 0.6));
  const auto proposal = chains_.front().walk(state.sets.front(), parameter, size * draw_normal(rng));
  const bool accepted = try_all(state, proposal.theta, log_u - proposal.log_ratio, rng);
  if (state.steps == RecordChain::kTuning) return;
  log_scale += 20.0 / (20 + state.steps) * ((accepted ? 1 : 0) - 0.35);
  log_scale = std::clamp(log_scale, -30.0, 30.0);
}

std::size_t PooledRecords::quantities() const {
  std::size_t count = parameters_;
  for (const RecordChain& chain : chains_) count += chain.quantities() - parameters_;
  return count;
}

void PooledRecords::latents(const State& state, std::span<double> out, Rng& rng) const {
  const std::size_t each = out.size() / chains_.size();
  for (std::size_t set = 0; set < chains_.size(); ++set)
    RecordChain::latents(state.sets[set], out.subspan(set * each, each), rng);
}

void PooledRecords::read(const State& state, std::span<double> out) const {
  std::size_t at = parameters_;
  for (std::size_t set = 0; set < chains_.size(); ++set) {
    std::array<double, 3> own{};
    chains_[set].read(state.sets[set], own);
    std::copy_n(own.begin(), parameters_, out.begin());
    if (chains_[set].quantities() > parameters_) out[at++] = own[parameters_];
  }
}

}  // namespace postern::infer
