#include "markov/posterior/latent_data.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer::markov {
namespace {

LatentTables tables_of(const graph::LogLinear& model) {
  std::vector<graph::Variables> scopes;
  for (const graph::Variables& clique : model.cliques()) scopes.push_back(graph::sorted(clique));
  return {model.propagation().tree(), scopes};
}

CellPotentials potentials_of(const LatentTables& tables, const MarkovProblem& problem, std::int64_t most) {
  CellPotentials out(tables.cells());
  const auto add = [&](const LatentTables::Table& table, int power) {
    for (std::size_t i = 0; i < table.cells; ++i) out.add_gamma(table.offset + i, 1, power);
  };
  out.add_gamma(tables.total(), 1, 1);
  for (std::size_t c = 0; c < tables.tree().size(); ++c) {
    add(tables.clique(c), -1);
    if (c > 0) add(tables.separator(c), 1);
  }
  std::vector<std::vector<NoisyValue>> values(tables.cells());
  for (const NoisyTable& table : problem.tables) {
    const std::vector<std::size_t> places = tables.places(table.variables);
    for (std::size_t i = 0; i < places.size(); ++i) values[places[i]].push_back({table.values[i], table.law});
  }
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    if (!values[cell].empty()) out.add_noise(cell, values[cell], most);
  }
  out.finish(most);
  return out;
}

}  // namespace

LatentData::LatentData(const PosteriorSetting& setting, const MarkovProblem& problem)
    : setting_(&setting),
      tables_(tables_of(*setting.data.model)),
      potentials_(potentials_of(tables_, problem, std::llround(setting.most))),
      contrasts_(tables_, sums_, setting.total),
      cliques_(tables_, setting.data.model->propagation()) {
  const graph::LogLinear& model = *setting.data.model;
  for (const graph::Variables& clique : model.cliques()) {
    const std::vector<std::size_t> own = tables_.places(clique);
    places_.insert(places_.end(), own.begin(), own.end());
  }
}

LatentData::State LatentData::init(const graph::LogLinear::Workspace& law, Rng& rng) const {
  State state;
  state.line = CountLine(std::max(contrasts_.changes(), tables_.tables().size()));
  state.tables.counts.assign(tables_.cells(), 0);
  state.tables.tilts.assign(tables_.cells(), 0);
  cliques_.draw(std::llround(setting_->total), cliques_.probabilities(law.propagation), state.tables.counts,
                rng);
  contrasts_.prepare(state.tables, 1 + std::sqrt(setting_->total / static_cast<double>(tables_.cells())));
  return state;
}

void LatentData::sweep(std::span<const double> theta, const graph::LogLinear::Workspace& law, State& state,
                       Rng& rng) const {
  std::fill(state.tables.tilts.begin(), state.tables.tilts.end(), 0.0);
  for (std::size_t i = 0; i < places_.size(); ++i) state.tables.tilts[places_[i]] += theta[i];
  contrasts_.sweep(potentials_, state.tables, state.line, rng);
  if (!setting_->latent) return;
  const std::size_t copies = std::max<std::size_t>(8, contrasts_.moves() / 4);
  for (std::size_t i = 0; i < copies; ++i) copy(law, state, rng);
}

/// m copies of a record join, or leave. The record is drawn by theta alone, whatever the tables.
void LatentData::copy(const graph::LogLinear::Workspace& law, State& state, Rng& rng) const {
  TableState& tables = state.tables;
  setting_->data.model->propagation().draw(law.propagation, tables.record, rng);
  state.line.clear();
  double slope = setting_->log_slope - law.log_partition;
  for (const LatentTables::Table& table : tables_.tables()) {
    const std::size_t cell = LatentTables::cell(table, tables.record);
    state.line.add(cell, 1, tables.counts);
    slope += tables.tilts[cell];
  }
  const std::int64_t room = std::llround(setting_->most) - tables.counts[tables_.total()];
  const std::int64_t m = state.line.move(potentials_, tables, state.width, room, slope, rng);
  if (tables.tuning) state.width += 0.05 * (3 * std::abs(static_cast<double>(m)) + 1 - state.width);
}

void LatentData::read(std::span<const std::int64_t> counts, std::span<double> cells) const {
  for (std::size_t i = 0; i < places_.size(); ++i) cells[i] = static_cast<double>(counts[places_[i]]);
}

double LatentData::log_noise(std::span<const std::int64_t> counts) const {
  double sum = 0;
  for (const Measurements::Value& value : setting_->data.values) {
    const double r = value.y - static_cast<double>(counts[places_[value.cell]]);
    sum -= value.scale > 0 ? std::abs(r) / value.scale : 0.5 * r * r / value.variance;
  }
  return sum;
}

}  // namespace postern::infer::markov
