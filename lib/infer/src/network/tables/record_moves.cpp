#include "record_moves.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {
namespace {

constexpr double kTuningGain = 0.05;
constexpr double kAccepted = 0.3;  ///< what block sizes are tuned to
constexpr double kMostBlock = 6;   ///< log

std::size_t block(double log_size, Rng& rng) {
  return static_cast<std::size_t>(std::max(1.0, std::round(std::exp(log_size + 2 * (rng.uniform() - 0.6)))));
}

void tune(double& log_size, bool accepted) {
  log_size = std::clamp(log_size + kTuningGain * ((accepted ? 1 : 0) - kAccepted), 0.0, kMostBlock);
}

}  // namespace

RecordMoves::RecordMoves(const NetworkTarget& target)
    : target_(&target), all_sums_(target.sums().touched_by({}).sums) {
  const LatentTables& tables = target.tables();
  const graph::JunctionTree& tree = tables.tree();
  for (std::size_t c = 0; c < tree.size(); ++c) {
    graph::Variables fresh;
    std::set_difference(tree.clique(c).begin(), tree.clique(c).end(), tree.separator(c).begin(),
                        tree.separator(c).end(), std::back_inserter(fresh));
    cliques_.emplace_back(tables, c, fresh, graph::Variables{});
  }
  for (const NetworkTarget::Family& family : target.families()) {
    Urn urn;
    urn.family = &family;
    urn.levels = tree.sizes()[family.variable];
    for (std::size_t i = 0; i < family.rows->variables.size(); ++i) {
      const std::uint32_t v = family.rows->variables[i];
      urn.rows.push_back({v, family.rows->strides[i]});
      urn.cells.push_back({v, stride_of(*family.cells, v)});
    }
    urns_.push_back(std::move(urn));
  }
}

RecordMoves::State RecordMoves::init() const {
  State state;
  state.moved.reserve(2 * static_cast<std::size_t>(std::exp(kMostBlock + 1)) *
                      std::max<std::size_t>(urns_.size(), 1));
  return state;
}

void RecordMoves::draw_leaving(TableState& tables, Rng& rng) const {
  for (const LevelDraw& clique : cliques_) clique.draw(tables.counts, tables.record, rng);
}

void RecordMoves::draw_joining(TableState& tables, Rng& rng) const {
  for (const Urn& urn : urns_) {
    const NetworkTarget::Family& family = *urn.family;
    std::size_t row = 0;
    std::size_t cell = 0;
    for (const Step& step : urn.rows) row += step.stride * tables.record[step.variable];
    for (const Step& step : urn.cells) cell += step.stride * tables.record[step.variable];
    double left = rng.uniform() * (tables.shifts[family.row_shift() + row] +
                                   static_cast<double>(tables.counts[family.rows->offset + row]));
    std::uint32_t level = 0;
    for (; level + 1 < urn.levels; ++level) {
      const std::size_t at = cell + level * family.level_stride;
      left -= tables.shifts[family.first_shift + at] +
              static_cast<double>(tables.counts[family.cells->offset + at]);
      if (left < 0) break;
    }
    tables.record[family.variable] = level;
  }
}

double RecordMoves::put(TableState& tables, int sign) const {
  double log_ratio = 0;
  for (const LatentTables::Table& table : target_->tables().tables()) {
    const std::size_t cell = LatentTables::cell(table, tables.record);
    std::int64_t& count = tables.counts[cell];
    if (!target_->potentials().silent(cell))
      log_ratio += target_->potentials().noise_ratio(cell, count, count + sign);
    count += sign;
  }
  return log_ratio + target_->sums().put(target_->potentials(), tables.record, sign, tables.counts);
}

bool RecordMoves::exchange(TableState& tables, State& state, std::size_t leaving, std::size_t joining,
                           double log_prior, Rng& rng) const {
  const std::size_t variables = tables.record.size();
  state.moved.clear();
  double log_ratio = log_prior;
  const auto move = [&](int sign) {
    log_ratio += put(tables, sign);
    state.moved.insert(state.moved.end(), tables.record.begin(), tables.record.end());
  };
  for (std::size_t i = 0; i < leaving; ++i) {
    draw_leaving(tables, rng);
    move(-1);
  }
  for (std::size_t i = 0; i < joining; ++i) {
    draw_joining(tables, rng);
    move(1);
  }
  if (log_ratio >= 0 || rng.uniform() < std::exp(log_ratio)) return true;
  for (std::size_t i = leaving + joining; i-- > 0;) {
    const auto from = state.moved.begin() + static_cast<std::ptrdiff_t>(i * variables);
    std::copy(from, from + static_cast<std::ptrdiff_t>(variables), tables.record.begin());
    static_cast<void>(put(tables, i < leaving ? 1 : -1));
  }
  return false;
}

void RecordMoves::refresh(TableState& tables, State& state, Rng& rng) const {
  const std::size_t size = block(state.log_block, rng);
  if (static_cast<std::int64_t>(size) > tables.counts[target_->tables().total()]) return;
  const bool accepted = exchange(tables, state, size, size, 0, rng);
  if (tables.tuning) tune(state.log_block, accepted);
}

/// The target is of sequences whose law does not depend on their order, and those that leave are the last: no
/// factor of n comes in.
void RecordMoves::resize(TableState& tables, State& state, Rng& rng) const {
  const std::size_t size = block(state.log_joining, rng);
  const auto change = static_cast<std::int64_t>(size);
  const std::int64_t n = tables.counts[target_->tables().total()];
  const bool joins = rng.uniform() < 0.5;
  if (joins ? n + change > target_->most() : change > n) return;
  const double log_prior = target_->log_size_ratio(n, joins ? n + change : n - change);
  const bool accepted = exchange(tables, state, joins ? 0 : size, joins ? size : 0, log_prior, rng);
  if (tables.tuning) tune(state.log_joining, accepted);
}

void RecordMoves::set_total(TableState& tables, std::int64_t n, Rng& rng) const {
  const std::int64_t& now = tables.counts[target_->tables().total()];
  while (now != n) {
    const bool joins = now < n;
    joins ? draw_joining(tables, rng) : draw_leaving(tables, rng);
    static_cast<void>(put(tables, joins ? 1 : -1));
  }
}

void RecordMoves::add_sums(const TableState& tables, CountLine& line) const {
  const NetworkSums& sums = target_->sums();
  for (const std::size_t sum : all_sums_)
    line.add_sum(sums.cell(sum), sums.of_record(sum, tables.record), tables.counts);
  for (const SplitFactor& factor : sums.factors())
    line.add_factor(factor, sums.of_record(factor.below - sums.cell(0), tables.record),
                    sums.of_record(factor.above - sums.cell(0), tables.record), tables.counts);
}

void RecordMoves::copy(TableState& tables, State& state, CountLine& line, Rng& rng) const {
  for (std::size_t f = 0; f < urns_.size(); ++f) {
    const Urn& urn = urns_[f];
    std::size_t cell = 0;
    for (const Step& step : urn.cells) cell += step.stride * tables.record[step.variable];
    const double u = rng.uniform();
    std::uint32_t level = 0;
    while (level + 1 < urn.levels && plug_in_[f][cell + level * urn.family->level_stride] < u) ++level;
    tables.record[urn.family->variable] = level;
  }
  line.clear();
  for (const LatentTables::Table& table : target_->tables().tables())
    line.add(LatentTables::cell(table, tables.record), 1, tables.counts);
  add_sums(tables, line);
  const std::int64_t room = target_->most() - tables.counts[target_->tables().total()];
  const std::int64_t m =
      line.move(target_->potentials(), tables, state.width, room, target_->log_slope(), rng);
  if (tables.tuning) state.width += kTuningGain * (3 * std::abs(static_cast<double>(m)) + 1 - state.width);
}

}  // namespace postern::infer
