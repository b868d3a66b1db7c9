#include "markov/posterior/potentials_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "postern/infer/chains/driver.hpp"

#include "chains/step_tuning.hpp"

namespace postern::infer::markov {

static_assert(Kernel<PotentialsKernel>);

PotentialsKernel::PotentialsKernel(const PosteriorSetting& setting, const graph::ConditionalTables& families,
                                   const Conversation& conversation)
    : setting_(&setting), families_(&families), conversation_(&conversation), target_(setting) {}

PotentialsKernel::State PotentialsKernel::init(Rng& rng) const {
  constexpr int kRounds = 150;
  State state{HamiltonianState(target_.size()), target_.workspace(), families_->workspace(),
              std::vector<double>(quantities())};
  HamiltonianState& chain = state.chain;
  // Chains begin apart, as far as the bounds of n allow.
  for (double spread = 1; spread > 1e-3; spread /= 2) {
    for (double& x : chain.x) x = spread * draw_normal(rng);
    chain.log_density = target_.gradient(chain.x, state.work, chain.slope);
    if (chain.log_density > kMinusInfinity) break;
  }
  StepTuning tuning(chain.step);
  for (int i = 0; i < kRounds; ++i) {
    conversation_->check();
    tuning.learn(move(state, rng));
    chain.step = tuning.exploring();
  }
  chain.step = tuning.final();
  report(state);
  return state;
}

double PotentialsKernel::move(State& state, Rng& rng) const {
  return take_trajectory(
      state.chain,
      [&](std::span<const double> x, std::span<double> slope) {
        return target_.gradient(x, state.work, slope);
      },
      rng);
}

PotentialsKernel::Info PotentialsKernel::step(State& state, Rng& rng) const {
  (void)move(state, rng);
  report(state);
  return {};
}

void PotentialsKernel::report(State& state) const {
  const double n = target_.place(state.chain.x, state.work);
  families_->read(state.work.theta, state.reading, state.values);
  if (setting_->latent) state.values.back() = std::round(n);
}

void PotentialsKernel::latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
  CorrelatedTarget::Workspace work = target_.workspace();
  target_.tell(state.chain.x, work, out);
}

void PotentialsKernel::read(const State& state, std::span<double> out) const {
  std::copy(state.values.begin(), state.values.end(), out.begin());
}

}  // namespace postern::infer::markov
