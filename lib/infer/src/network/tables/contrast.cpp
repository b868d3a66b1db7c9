#include "contrast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/infer/chains/slice.hpp"

namespace postern::infer {
namespace {

constexpr double kContrastGain = 0.05;
constexpr double kJumpsWide = 3;  ///< a width, in typical moves

// Windows of lines along which priors are learned.
constexpr double kWindow = 5;       ///< deviations that the noise of all its cells leaves to a line
constexpr double kLeastWindow = 4;  ///< states
constexpr double kMostWindow = 1000;
constexpr double kLargeWindow = 64;  ///< of which a part is looked at more often
constexpr double kNearby = 0.5;      ///< how often
constexpr double kNearer = 8;        ///< how much smaller the part is

}  // namespace

void CountLine::add_factor(const SplitFactor& factor, std::int64_t below, std::int64_t above,
                           std::span<const std::int64_t> counts) {
  if (below == 0 && above == 0) return;
  const std::int64_t a = counts[factor.below];
  const std::int64_t b = counts[factor.above];
  factors_.push_back({&factor, below, above, a, b, factor.log_at(a, b)});
}

double CountLine::log_ratio(const CellPotentials& potentials, std::int64_t m) const {
  double sum = 0;
  for (const Step& step : steps_)
    sum += potentials.log_ratio(step.cell, step.count, step.count + step.sign * m);
  for (const Step& step : sums_)
    sum += potentials.noise_ratio(step.cell, step.count, step.count + step.sign * m);
  for (const Factor& one : factors_)
    sum += one.factor->log_at(one.from_below + one.below * m, one.from_above + one.above * m) - one.log_from;
  return sum;
}

std::pair<std::int64_t, std::int64_t> CountLine::range(std::int64_t most) const {
  std::int64_t lo = std::numeric_limits<std::int64_t>::min();
  std::int64_t hi = most;
  for (const Step& step : steps_) {
    if (step.sign > 0) {
      lo = std::max(lo, -step.count);
    } else {
      hi = std::min(hi, step.count);
    }
  }
  return {lo, hi};
}

std::int64_t CountLine::draw_by_slice(const CellPotentials& potentials, std::int64_t lo, std::int64_t hi,
                                      double width, double slope, Rng& rng) const {
  const auto whole = [&](double x) { return std::clamp<std::int64_t>(std::llround(x), lo, hi); };
  const auto log_target = [&](double x) {
    const std::int64_t m = whole(x);
    return m == 0 ? 0 : slope * static_cast<double>(m) + log_ratio(potentials, m);
  };
  // The target of the whole numbers, spread evenly over the unit interval around each.
  const SliceRange range{static_cast<double>(lo) - 0.5, static_cast<double>(hi) + 0.5, width};
  return whole(draw_slice(rng.uniform() - 0.5, 0, range, log_target, rng));
}

std::int64_t CountLine::window_width(const CellPotentials& potentials, double width, Rng& rng) const {
  double precision = 0;
  for (const Step& step : steps_) precision += potentials.noise_precision(step.cell);
  const double scale = precision > 0 ? 1 / std::sqrt(precision) : width;
  const double wide = std::clamp(kWindow * scale, kLeastWindow, kMostWindow);
  // Most moves look nearby, which costs less.
  return static_cast<std::int64_t>(wide > kLargeWindow && rng.uniform() < kNearby ? wide / kNearer : wide);
}

std::int64_t CountLine::draw_in_window(const CellPotentials& potentials, std::span<const double> shifts,
                                       std::int64_t lo, std::int64_t hi, double width, double slope,
                                       Rng& rng) {
  const std::int64_t wide = window_width(potentials, width, rng);
  const std::int64_t below = draw_offset(wide, rng);
  window_.start(std::max(lo, -below), std::min(hi, wide - below));
  for (const Step& step : steps_) {
    const auto sign = static_cast<int>(step.sign);
    potentials.add_to(window_, step.cell, step.count, sign);
    for (const CellShifts::Term& term : learned_->of(step.cell))
      window_.gamma(shifts[term.shift], term.power, static_cast<double>(step.count), sign);
  }
  for (const Step& step : sums_) potentials.add_noise_to(window_, step.cell, step.count, step.sign);
  window_.slope(slope);
  return window_.draw(rng);
}

std::int64_t CountLine::move(const CellPotentials& potentials, TableState& state, double width,
                             std::int64_t most, double slope, Rng& rng) {
  const auto [lo, hi] = range(most);
  if (lo == hi) return 0;
  const std::int64_t m = learned_ == nullptr
                             ? draw_by_slice(potentials, lo, hi, width, slope, rng)
                             : draw_in_window(potentials, state.shifts, lo, hi, width, slope, rng);
  if (m == 0) return 0;
  for (const Step& step : steps_) state.counts[step.cell] += step.sign * m;
  for (const Step& step : sums_) state.counts[step.cell] += step.sign * m;
  for (const Factor& one : factors_) {
    state.counts[one.factor->below] += one.below * m;
    state.counts[one.factor->above] += one.above * m;
  }
  return m;
}

Contrast::Contrast(const LatentTables& tables, const NetworkSums& sums, graph::Variables of, std::size_t base,
                   const LevelDraw& record_of_base, double records)
    : of_(std::move(of)),
      sums_(&sums),
      touched_sums_(sums.touched_by(of_)),
      record_of_base_(&record_of_base) {
  const LatentTables::Table& table = tables.clique(base);
  const graph::Sizes& sizes = tables.tree().sizes();
  base_offset_ = table.offset;
  base_cells_ = table.cells;
  lines_ = static_cast<double>(table.cells);
  for (const std::uint32_t v : of_) {
    sizes_.push_back(sizes[v]);
    lines_ *= 1 - 1.0 / sizes[v];
  }
  for (const std::uint32_t v : table.variables) {
    if (std::find(of_.begin(), of_.end(), v) == of_.end()) base_context_.push_back({v, sizes[v]});
  }
  corners_of_a_ = combinations(table, of_, sizes);
  evenly_ = 0.75 * records / (records + static_cast<double>(table.cells));
  touch(table);
  for (const LatentTables::Table& other : tables.tables()) {
    if (&other != &table && graph::holds(other.variables, of_)) touch(other);
  }
  spread(tables, base);
}

void Contrast::touch(const LatentTables::Table& table) {
  Touched touched;
  touched.offset = table.offset;
  for (std::size_t i = 0; i < table.variables.size(); ++i) {
    const auto place = std::find(of_.begin(), of_.end(), table.variables[i]);
    if (place == of_.end()) {
      touched.context.push_back({table.variables[i], table.strides[i]});
    } else {
      touched.strides[static_cast<std::size_t>(place - of_.begin())] = table.strides[i];
    }
  }
  touched_.push_back(std::move(touched));
}

/// The cliques that hold A are a part of the tree that is connected: from the base to its neighbours, and on.
void Contrast::spread(const LatentTables& tables, std::size_t from) {
  const graph::JunctionTree& tree = tables.tree();
  std::vector<std::pair<std::size_t, std::size_t>> waiting;  // a clique, and where it was reached from
  const auto look = [&](std::size_t at, std::size_t came) {
    const auto go = [&](std::size_t next) {
      if (next != came && graph::holds(tree.clique(next), of_)) waiting.emplace_back(next, at);
    };
    if (tree.parent(at) != graph::JunctionTree::kNone) go(tree.parent(at));
    for (const std::size_t child : tree.children(at)) go(child);
  };
  look(from, graph::JunctionTree::kNone);
  while (!waiting.empty()) {
    const auto [at, came] = waiting.back();
    waiting.pop_back();
    graph::Variables fresh;
    std::set_difference(tree.clique(at).begin(), tree.clique(at).end(), tree.clique(came).begin(),
                        tree.clique(came).end(), std::back_inserter(fresh));
    further_.emplace_back(tables, at, fresh, of_);
    look(at, came);
  }
}

bool Contrast::draw_evenly(TableState& state, Levels& a, Levels& b, Rng& rng) const {
  for (const Step& step : base_context_)
    state.record[step.variable] = static_cast<std::uint32_t>(draw_below(step.stride, rng));
  for (std::size_t i = 0; i < of_.size(); ++i) {
    a[i] = static_cast<std::uint32_t>(draw_below(sizes_[i], rng));
    b[i] = static_cast<std::uint32_t>(draw_below(sizes_[i] - 1, rng));
    if (b[i] >= a[i]) ++b[i];
  }
  return true;
}

bool Contrast::draw_by_records(TableState& state, Levels& a, Levels& b, Rng& rng) const {
  if (!record_of_base_->draw(state.counts, state.record, rng)) return false;
  if (of_.size() == 1) {
    // The records at both levels together are as many after the move as before.
    a[0] = state.record[of_[0]];
    b[0] = static_cast<std::uint32_t>(draw_below(sizes_[0] - 1, rng));
    if (b[0] >= a[0]) ++b[0];
    return true;
  }
  // Records of the context at each level of one variable of A: the move leaves them as they are.
  const std::int64_t* row = state.counts.data() + base_offset_;
  for (const Step& step : touched_.front().context) row += step.stride * state.record[step.variable];
  std::size_t inner = 1;
  for (std::size_t i = of_.size(); i-- > 0;) {
    const std::span<std::int64_t> margin(state.margins.data(), sizes_[i]);
    const std::int64_t all = sum_by_level(row, inner, margin);
    for (Levels* levels : {&a, &b}) {
      auto left = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(all), rng));
      std::uint32_t level = 0;
      for (; left >= margin[level]; ++level) left -= margin[level];
      (*levels)[i] = level;
    }
    if (a[i] == b[i]) return false;
    inner *= sizes_[i];
  }
  return true;
}

std::int64_t Contrast::sum_by_level(const std::int64_t* row, std::size_t inner,
                                    std::span<std::int64_t> margin) const {
  std::fill(margin.begin(), margin.end(), 0);
  for (std::size_t corner = 0; corner < corners_of_a_.size();) {
    for (std::int64_t& level : margin) {
      for (const std::size_t end = corner + inner; corner < end; ++corner)
        level += row[corners_of_a_[corner]];
    }
  }
  return std::accumulate(margin.begin(), margin.end(), std::int64_t{0});
}

void Contrast::add_sums(const TableState& state, const Levels& a, const Levels& b, CountLine& line) const {
  for (const std::size_t sum : touched_sums_.sums)
    line.add_sum(sums_->cell(sum), sums_->of_contrast(sum, of_, a, b, state.record), state.counts);
  for (const std::size_t place : touched_sums_.factors) {
    const SplitFactor& factor = sums_->factors()[place];
    const std::size_t first = sums_->cell(0);
    line.add_factor(factor, sums_->of_contrast(factor.below - first, of_, a, b, state.record),
                    sums_->of_contrast(factor.above - first, of_, a, b, state.record), state.counts);
  }
}

void Contrast::move(const CellPotentials& potentials, TableState& state, CountLine& line, Rng& rng) const {
  Levels a{};
  Levels b{};
  if (!(rng.uniform() < evenly_ ? draw_evenly(state, a, b, rng) : draw_by_records(state, a, b, rng))) return;
  for (const LevelDraw& draw : further_) {
    if (!draw.draw(state.counts, state.record, rng)) return;
  }
  // Both ways to name a line are one line.
  for (std::size_t i = 0; i < of_.size(); ++i) {
    if (a[i] > b[i]) std::swap(a[i], b[i]);
  }
  line.clear();
  double slope = 0;
  const std::size_t corners = std::size_t{1} << of_.size();
  std::array<std::size_t, std::size_t{1} << kMostVariables> base{};
  for (const Touched& table : touched_) {
    std::size_t at = table.offset;
    for (const Step& step : table.context) at += step.stride * state.record[step.variable];
    for (std::size_t corner = 0; corner < corners; ++corner) {
      std::size_t cell = at;
      int sign = 1;
      for (std::size_t i = 0; i < of_.size(); ++i) {
        const bool second = (corner >> i & 1) != 0;
        cell += table.strides[i] * (second ? b[i] : a[i]);
        if (second) sign = -sign;
      }
      line.add(cell, sign, state.counts);
      if (!state.tilts.empty()) slope += sign * state.tilts[cell];
      if (&table == &touched_.front()) base[corner] = cell;
    }
  }
  add_sums(state, a, b, line);
  const std::span<const std::size_t> corner_cells(base.data(), corners);
  double width = std::numeric_limits<double>::infinity();
  for (const std::size_t cell : corner_cells) width = std::min(width, state.widths[width_at(cell)]);
  const std::int64_t m =
      line.move(potentials, state, width, std::numeric_limits<std::int64_t>::max(), slope, rng);
  if (!state.tuning) return;
  for (const std::size_t cell : corner_cells) {
    double& own = state.widths[width_at(cell)];
    own += kContrastGain * (kJumpsWide * std::abs(static_cast<double>(m)) + 1 - own);
  }
}

}  // namespace postern::infer
