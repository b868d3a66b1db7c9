#include "level_shifts.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {
namespace {

constexpr double kShiftGain = 0.1;
constexpr double kShiftsAccepted = 0.3;  ///< what block sizes are tuned to
constexpr double kMostShift = 6;         ///< log
constexpr double kOftenBlock =
    16;  ///< records; larger blocks are tried more rarely, so that no try costs more

std::size_t difference_into(const graph::Variables& all, const graph::Variables& without,
                            graph::Variables& out) {
  std::set_difference(all.begin(), all.end(), without.begin(), without.end(), std::back_inserter(out));
  return out.size();
}

}  // namespace

LevelShifts::LevelShifts(const NetworkTarget& target) : target_(&target) {
  const LatentTables& tables = target.tables();
  for (const NetworkTarget::Family& family : target.families()) {
    Column column;
    column.family = &family;
    column.levels = tables.tree().sizes()[family.variable];
    for (std::size_t i = 0; i < family.rows->variables.size(); ++i) {
      const std::uint32_t v = family.rows->variables[i];
      column.rows.push_back({v, family.rows->strides[i]});
      column.cells.push_back({v, stride_of(*family.cells, v)});
      column.row_sizes.push_back(tables.tree().sizes()[v]);
    }
    column.first_row = rows_;
    rows_ += family.rows->cells;
    lines_ += family.rows->cells * (column.levels - 1);
    columns_.push_back(std::move(column));
  }
  double sum = 0;
  for (const Column& column : columns_) {
    const std::size_t own = column.family->rows->cells * (column.levels - 1);
    const double each = static_cast<double>(lines_) / static_cast<double>(columns_.size());
    below_.push_back(sum += own == 0 ? 0 : static_cast<double>(own) + each);
  }
  tables_of_.resize(tables.tree().sizes().size());
  for (std::size_t t = 0; t < tables.tables().size(); ++t) {
    for (const std::uint32_t v : tables.tables()[t].variables) tables_of_[v].push_back(t);
  }
  find_dependants();
  std::vector<std::vector<std::size_t>> from(tables.tree().size());
  find_steps(from);
  for (Column& column : columns_) find_way(column, from);
}

void LevelShifts::find_dependants() {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::vector<bool> depends(target_->tables().tree().sizes().size());
    depends[columns_[c].family->variable] = true;
    for (std::size_t d = c + 1; d < columns_.size(); ++d) {
      const bool does = std::any_of(columns_[d].rows.begin(), columns_[d].rows.end(),
                                    [&](const Step& step) { return depends[step.variable]; });
      if (!does) continue;
      depends[columns_[d].family->variable] = true;
      columns_[c].dependants.push_back(d);
    }
  }
}

/// From every clique to each of its neighbours: levels of what is new there.
void LevelShifts::find_steps(std::vector<std::vector<std::size_t>>& from) {
  const graph::JunctionTree& tree = target_->tables().tree();
  const auto add = [&](std::size_t at, std::size_t next) {
    graph::Variables fresh;
    difference_into(tree.clique(next), tree.clique(at), fresh);
    from[at].push_back(steps_.size());
    steps_.emplace_back(target_->tables(), next, fresh, graph::Variables{});
    to_.push_back(next);
  };
  for (std::size_t c = 1; c < tree.size(); ++c) {
    add(tree.parent(c), c);
    add(c, tree.parent(c));
  }
}

/// All cliques that hold the column or a dependant, and those on the way there.
void LevelShifts::find_way(Column& column, const std::vector<std::vector<std::size_t>>& from) {
  const graph::JunctionTree& tree = target_->tables().tree();
  graph::Variables change{column.family->variable};
  for (const std::size_t d : column.dependants) change.push_back(columns_[d].family->variable);
  std::vector<bool> wanted(tree.size());
  for (std::size_t c = 0; c < tree.size(); ++c) {
    wanted[c] = std::any_of(change.begin(), change.end(), [&](std::uint32_t v) {
      return std::binary_search(tree.clique(c).begin(), tree.clique(c).end(), v);
    });
  }
  const std::size_t home = tree.home(column.family->cells->variables).value_or(0);
  graph::Variables rest;
  if (difference_into(tree.clique(home), column.family->cells->variables, rest) > 0)
    column.at_home.emplace_back(target_->tables(), home, rest, graph::Variables{});

  // Depth first; a step is kept if something wanted lies behind it.
  const auto visit = [&](const auto& self, std::size_t at, std::size_t came) -> bool {
    bool needed = wanted[at];
    for (const std::size_t step : from[at]) {
      if (to_[step] == came) continue;
      const std::size_t place = column.outwards.size();
      column.outwards.push_back(step);
      if (self(self, to_[step], at)) {
        needed = true;
      } else {
        column.outwards.resize(place);
      }
    }
    return needed;
  };
  visit(visit, home, graph::JunctionTree::kNone);
}

LevelShifts::State LevelShifts::init() const {
  State state;
  state.after.resize(target_->tables().tree().sizes().size());
  state.looked.resize(target_->tables().tables().size());
  state.log_blocks.assign(rows_, 1);
  return state;
}

const LevelShifts::Column& LevelShifts::choose_row(TableState& tables, std::size_t& row, Rng& rng) const {
  const auto chosen = std::upper_bound(below_.begin(), below_.end() - 1, rng.uniform() * below_.back());
  const Column& column = columns_[static_cast<std::size_t>(chosen - below_.begin())];
  row = 0;
  for (std::size_t i = 0; i < column.rows.size(); ++i) {
    const auto level = static_cast<std::uint32_t>(draw_below(column.row_sizes[i], rng));
    tables.record[column.rows[i].variable] = level;
    row += level * column.rows[i].stride;
  }
  return column;
}

void LevelShifts::shift(TableState& tables, State& state, Rng& rng) const {
  std::size_t row = 0;
  if (lines_ == 0) return;
  const Column& column = choose_row(tables, row, rng);
  double& log_block = state.log_blocks[column.first_row + row];
  if (rng.uniform() * std::exp(log_block) > kOftenBlock) return;
  const auto a = static_cast<std::uint32_t>(draw_below(column.levels, rng));
  auto b = static_cast<std::uint32_t>(draw_below(column.levels - 1, rng));
  if (b >= a) ++b;
  const auto records =
      static_cast<std::size_t>(std::max(1.0, std::round(std::exp(log_block + 2 * (rng.uniform() - 0.6)))));

  state.changes.clear();
  double log_ratio = 0;
  bool accepted = true;
  for (std::size_t i = 0; i < records && accepted; ++i)
    accepted = move_record(column, a, b, tables, state, log_ratio, rng);
  accepted = accepted && (log_ratio >= 0 || rng.uniform() < std::exp(log_ratio));
  if (!accepted) {
    for (auto change = state.changes.rbegin(); change != state.changes.rend(); ++change)
      tables.counts[change->cell] -= change->by;
  }
  if (tables.tuning)
    log_block = std::clamp(log_block + kShiftGain * ((accepted ? 1 : 0) - kShiftsAccepted), 0.0, kMostShift);
}

bool LevelShifts::move_record(const Column& column, std::uint32_t a, std::uint32_t b, TableState& tables,
                              State& state, double& log_ratio, Rng& rng) const {
  const NetworkTarget::Family& family = *column.family;
  std::size_t row = 0;
  for (const Step& step : column.cells) row += step.stride * tables.record[step.variable];
  const std::size_t at_a = row + a * family.level_stride;
  const std::size_t at_b = row + b * family.level_stride;
  const auto from = static_cast<double>(tables.counts[family.cells->offset + at_a]);
  const auto to = static_cast<double>(tables.counts[family.cells->offset + at_b]);
  if (from == 0) return false;
  // The urn's ratio of the two levels, and the chance to choose this record again on the way back.
  const double* alpha = tables.shifts.data() + family.first_shift;
  log_ratio += std::log((alpha[at_b] + to) * from / ((alpha[at_a] + from - 1) * (to + 1)));
  tables.record[family.variable] = a;
  for (const LevelDraw& draw : column.at_home) draw.draw(tables.counts, tables.record, rng);
  for (const std::size_t step : column.outwards) steps_[step].draw(tables.counts, tables.record, rng);
  state.after = tables.record;
  state.after[family.variable] = b;
  state.moved.assign(1, family.variable);
  follow(column, tables, state, rng);
  log_ratio += put(tables, state);
  return true;
}

/// Each dependant by a maximal coupling of its old row and its new one, this record taken out of both: the
/// same joint law whichever of the two is called the old one.
void LevelShifts::follow(const Column& column, const TableState& tables, State& state, Rng& rng) const {
  for (const std::size_t d : column.dependants) {
    const Column& own = columns_[d];
    const NetworkTarget::Family& family = *own.family;
    std::size_t row_before = 0;
    std::size_t row_after = 0;
    std::size_t before = 0;
    std::size_t after = 0;
    for (std::size_t i = 0; i < own.rows.size(); ++i) {
      const std::uint32_t v = own.rows[i].variable;
      row_before += own.rows[i].stride * tables.record[v];
      row_after += own.rows[i].stride * state.after[v];
      before += own.cells[i].stride * tables.record[v];
      after += own.cells[i].stride * state.after[v];
    }
    if (row_before == row_after) continue;
    const std::uint32_t level = tables.record[family.variable];
    const auto total = [&](std::size_t row) {
      return tables.shifts[family.row_shift() + row] +
             static_cast<double>(tables.counts[family.rows->offset + row]);
    };
    const double all_before = total(row_before) - 1;
    const double all_after = total(row_after);
    const auto weight = [&](std::size_t cell) {
      return tables.shifts[family.first_shift + cell] +
             static_cast<double>(tables.counts[family.cells->offset + cell]);
    };
    const auto p_before = [&](std::uint32_t k) {
      return (weight(before + k * family.level_stride) - (k == level ? 1 : 0)) / all_before;
    };
    const auto p_after = [&](std::uint32_t k) { return weight(after + k * family.level_stride) / all_after; };
    if (rng.uniform() * p_before(level) < p_after(level)) continue;
    double excess = 0;
    for (std::uint32_t k = 0; k < own.levels; ++k) excess += std::max(0.0, p_after(k) - p_before(k));
    double left = rng.uniform() * excess;
    std::uint32_t chosen = level;
    for (std::uint32_t k = 0; k < own.levels; ++k) {
      const double more = p_after(k) - p_before(k);
      if (more <= 0) continue;
      chosen = k;
      left -= more;
      if (left < 0) break;
    }
    if (chosen == level) continue;  // rounding alone
    state.after[family.variable] = chosen;
    state.moved.push_back(family.variable);
  }
}

double LevelShifts::put(TableState& tables, State& state) const {
  ++state.now;
  double log_ratio = 0;
  const auto change = [&](std::size_t cell, std::int64_t by) {
    std::int64_t& count = tables.counts[cell];
    if (!target_->potentials().silent(cell))
      log_ratio += target_->potentials().noise_ratio(cell, count, count + by);
    count += by;
    state.changes.push_back({cell, by});
  };
  for (const std::uint32_t v : state.moved) {
    for (const std::size_t t : tables_of_[v]) {
      if (state.looked[t] == state.now) continue;
      state.looked[t] = state.now;
      const LatentTables::Table& table = target_->tables().tables()[t];
      change(LatentTables::cell(table, tables.record), -1);
      change(LatentTables::cell(table, state.after), 1);
    }
  }
  return log_ratio;
}

}  // namespace postern::infer
