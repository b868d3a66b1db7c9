#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "postern/infer/moments/chain.hpp"

#include "moments/scatter_chain.hpp"

namespace postern::infer {

/// The values behind a problem's moments, in its order.
void tell_latents(const MomentDensity& target, const ScatterState& sums, std::span<double> out);
/// Features whose variance does not stand out of its noise.
[[nodiscard]] std::vector<std::size_t> hidden_columns(const MomentDensity& target);
/// Have the first so many quantities 400 effective draws each, or a quarter of those that are kept?
[[nodiscard]] bool draws_suffice(const ChainRun& run, std::size_t quantities, const DriverOptions& options);

/// The start with the metric that one chain learns before all others, which take it over.
[[nodiscard]] ScatterStart with_metric(ScatterStart start, const MomentDensity& target, std::size_t times,
                                       const DriverOptions& options, const Conversation& conversation);

/// Chains on latent moments; `report` says how many quantities there are, and writes them.
template <class Report>
class LearnedKernel {
 public:
  struct State {
    ScatterChain chain;
    std::vector<double> values;
  };
  struct Info {};

  LearnedKernel(const MomentDensity& target, const ScatterStart& start, Report report,
                const Conversation& conversation)
      : target_(&target), start_(&start), conversation_(conversation), report_(std::move(report)) {}
  [[nodiscard]] State init(Rng& rng) const {
    State state{ScatterChain(*target_, *start_), std::vector<double>(quantities())};
    state.chain.spread_out(*target_, rng);
    state.chain.settle(*target_, rng, conversation_);
    report_(state.chain.settled(*target_), rng, state.values);
    return state;
  }
  Info step(State& state, Rng& rng) const {
    state.chain.move(*target_, rng);
    report_(state.chain.settled(*target_), rng, state.values);
    return {};
  }
  [[nodiscard]] std::size_t quantities() const { return report_.size(); }
  void read(const State& state, std::span<double> out) const {
    std::copy(state.values.begin(), state.values.end(), out.begin());
  }
  void latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
    tell_latents(*target_, state.chain.workspace().state, out);
  }

 private:
  const MomentDensity* target_;
  const ScatterStart* start_;
  Conversation conversation_;
  Report report_;
};

/// Runs chains, and once more, four times as long, where draws do not suffice of the first `judged`
/// quantities.
template <class Report>
MomentRun run_learned(const MomentDensity& target, ScatterStart start, const Report& report,
                      std::size_t judged, const DriverOptions& options, const Conversation& conversation) {
  DriverOptions longer = options;
  for (std::size_t times = 1;; times *= 4) {
    start = with_metric(std::move(start), target, times, options, conversation);
    const LearnedKernel<Report> kernel(target, start, report, conversation);
    MomentRun run{run_chains(kernel, longer, conversation), hidden_columns(target)};
    if (times > 1 || draws_suffice(run.chains, judged, options)) return run;
    longer.first_stage *= 4;
    longer.most_warmup *= 4;
    longer.most_thinning *= 4;
  }
}

}  // namespace postern::infer
