#include "markov/posterior/tables_kernel.hpp"

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/infer/chains/driver.hpp"

#include "chains/step_tuning.hpp"

namespace postern::infer::markov {
namespace {

constexpr double kLeastLength = 0.2;  // of a trajectory that takes the tables along

}  // namespace

static_assert(Kernel<ExactKernel>);

ExactKernel::ExactKernel(const PosteriorSetting& setting, const LatentData& data,
                         const graph::ConditionalTables& families, const Conversation& conversation)
    : setting_(&setting),
      data_(&data),
      families_(&families),
      conversation_(&conversation),
      given_(setting),
      moving_(setting, data) {}

ExactKernel::State ExactKernel::init(Rng& rng) const {
  State state;
  state.t = setting_->mode;
  state.theta.resize(setting_->basis.dimension());
  state.cells.resize(setting_->basis.dimension());
  state.law = setting_->data.model->workspace();
  setting_->basis.expand(state.t, state.theta);
  setting_->data.model->evaluate(state.theta, state.law);
  state.data = data_->init(state.law, rng);
  state.given = given_.init();
  state.moving = moving_.init();
  state.reading = families_->workspace();
  state.values.resize(quantities());
  adapt(state, rng);
  report(state);
  return state;
}

void ExactKernel::adapt(State& state, Rng& rng) const {
  constexpr int kRounds = 150;
  StepTuning step(state.given.chain.step);
  StepTuning length(0.2, 0.65);
  for (int i = 0; i < kRounds; ++i) {
    conversation_->check();
    data_->sweep(state.theta, state.law, state.data, rng);
    step.learn(move_potentials(state, rng));
    state.given.chain.step = step.exploring();
    if (!state.together) continue;
    length.learn(moving_.move(state.t, state.data.tables.counts, state.moving, state.law, state.theta, rng));
    state.moving.length = length.exploring();
  }
  state.given.chain.step = step.final();
  state.moving.length = length.final();
  state.together = state.moving.length >= kLeastLength;
  state.data.tables.tuning = false;
}

double ExactKernel::move_potentials(State& state, Rng& rng) const {
  data_->read(state.data.tables.counts, state.cells);
  const auto total = static_cast<double>(state.data.tables.counts[data_->total()]);
  return given_.move(state.t, state.cells, total, state.given, state.law, state.theta, rng);
}

ExactKernel::Info ExactKernel::step(State& state, Rng& rng) const {
  data_->sweep(state.theta, state.law, state.data, rng);
  (void)move_potentials(state, rng);
  if (state.together)
    (void)moving_.move(state.t, state.data.tables.counts, state.moving, state.law, state.theta, rng);
  report(state);
  return {};
}

void ExactKernel::report(State& state) const {
  families_->read(state.theta, state.reading, state.values);
  if (setting_->latent) state.values.back() = static_cast<double>(state.data.tables.counts[data_->total()]);
}

void ExactKernel::latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
  std::vector<double> cells(setting_->basis.dimension());
  data_->read(state.data.tables.counts, cells);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = cells[setting_->data.values[i].cell];
}

void ExactKernel::read(const State& state, std::span<double> out) const {
  std::copy(state.values.begin(), state.values.end(), out.begin());
}

}  // namespace postern::infer::markov
