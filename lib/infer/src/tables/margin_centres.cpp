#include "tables/margin_centres.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "postern/core/draw.hpp"

#include "tables/concentration.hpp"

namespace postern::infer {
namespace {

constexpr double kWindow = 5;  ///< deviations of the noise
constexpr double kLeastWindow = 4;
constexpr double kMostWindow = 1000;
constexpr double kCentreCount = 0.5;

using Cells = std::vector<std::vector<NoisyValue>>;

/// As many values in every cell, none of them known by a band alone.
bool is_whole(const Cells& cells) {
  return !cells.front().empty() && std::all_of(cells.begin(), cells.end(), [&](const auto& values) {
    return values.size() == cells.front().size() &&
           std::none_of(values.begin(), values.end(),
                        [](const NoisyValue& one) { return one.band.has_value(); });
  });
}

}  // namespace

std::optional<MarginCentres::Column> MarginCentres::column_of(const NetworkProblem& problem,
                                                              std::uint32_t variable) {
  Column out;
  out.levels.resize(problem.sizes[variable]);
  bool seen = false;
  const auto add = [&](const std::vector<std::uint32_t>& variables, const Cells& cells) {
    const auto place = std::find(variables.begin(), variables.end(), variable);
    if (place == variables.end() || !is_whole(cells)) return;
    seen = true;
    std::size_t inner = 1;
    for (auto v = place + 1; v != variables.end(); ++v) inner *= problem.sizes[*v];
    const std::size_t terms = cells.size() / out.levels.size();
    for (std::size_t i = 0; i < cells.front().size(); ++i) {
      std::vector<double> sums(out.levels.size(), 0);
      std::vector<double> variances(out.levels.size(), 0);
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        const std::size_t level = cell / inner % out.levels.size();
        sums[level] += cells[cell][i].y;
        variances[level] += release::variance(cells[cell][i].law);
        if (terms == 1 && release::shape(cells[cell][i].law).rate > 0) {
          out.levels[level].kinks.push_back(cells[cell][i]);
          variances[level] = INFINITY;
        }
      }
      for (std::size_t level = 0; level < sums.size(); ++level) {
        const double precision = 1 / std::max(variances[level], 1e-6);
        Level& own = out.levels[level];
        own.centre += precision * sums[level];
        own.curvature += precision;
      }
    }
  };
  for (const NetworkFamily& family : problem.families) add(family.variables, family.noisy_values);
  for (const NoisyMargin& table : problem.tables) add(table.variables, table.noisy_values);
  if (!seen) return std::nullopt;
  double most = 0;
  for (Level& level : out.levels) {
    if (level.curvature > 0) level.centre /= level.curvature;
    double precision = level.curvature;
    for (const NoisyValue& kink : level.kinks) precision += 1 / release::variance(kink.law);
    most = std::max(most, precision);
  }
  out.scale = 1 / std::sqrt(most);
  if (!problem.learned->known.empty()) {
    const std::vector<double>& known = problem.learned->known[variable];
    for (std::size_t cell = 0; cell < known.size(); ++cell)
      out.levels[cell % out.levels.size()].known += known[cell];
  }
  return out;
}

MarginCentres::MarginCentres(const NetworkProblem& problem)
    : place_(problem.sizes.size()), grid_(concentration_grid(problem.learned->scale)) {
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    if (problem.families[v].variables.size() < 2 || !problem.is_column(v)) continue;
    std::optional<Column> column = column_of(problem, v);
    if (!column) continue;
    place_[v] = columns_.size();
    columns_.push_back(std::move(*column));
  }
}

MarginCentres::State MarginCentres::begin(std::int64_t n, Rng& rng) const {
  State state;
  for (const Column& column : columns_) {
    std::vector<double> shares;
    double sum = 0;
    for (const Level& level : column.levels) {
      double seen = level.centre;
      if (level.curvature <= 0) seen = level.kinks.front().y;
      shares.push_back(std::max(seen, column.scale));
      sum += shares.back();
    }
    for (double& share : shares) share /= sum;
    std::vector<std::int64_t>& counts = state.counts.emplace_back(shares.size(), 0);
    draw_multinomial(n, shares, counts, rng);
    state.concentrations.push_back(static_cast<double>(shares.size()));
  }
  return state;
}

void MarginCentres::move(const Column& column, std::vector<std::int64_t>& counts, double each,
                         LineWindow& window, Rng& rng) const {
  const auto a = static_cast<std::size_t>(draw_below(counts.size(), rng));
  auto b = static_cast<std::size_t>(draw_below(counts.size() - 1, rng));
  if (b >= a) ++b;
  const auto width = static_cast<std::int64_t>(std::clamp(kWindow * column.scale, kLeastWindow, kMostWindow));
  const std::int64_t below = draw_offset(width, rng);
  window.start(std::max(-counts[a], -below), std::min(counts[b], width - below));
  for (const auto& [at, sign] : {std::pair(a, 1), std::pair(b, -1)}) {
    const Level& level = column.levels[at];
    const auto count = static_cast<double>(counts[at]);
    window.gamma(each + level.known, 1, count, sign);
    window.gamma(1, -1, count, sign);
    window.gaussian(level.curvature, level.centre, count, sign);
    for (const NoisyValue& kink : level.kinks)
      window.kink(kink.y, release::shape(kink.law).rate, count, sign);
  }
  const std::int64_t m = window.draw(rng);
  counts[a] += m;
  counts[b] -= m;
}

/// Records join from the urn, or leave by chance.
void MarginCentres::set_total(const Column& column, double each, std::int64_t n,
                              std::vector<std::int64_t>& counts, Rng& rng) {
  std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  while (total != n) {
    const bool joins = total < n;
    const auto weight = [&](std::size_t l) {
      return static_cast<double>(counts[l]) + (joins ? each + column.levels[l].known : 0);
    };
    double left = 0;
    for (std::size_t l = 0; l < counts.size(); ++l) left += weight(l);
    left *= rng.uniform();
    std::size_t l = 0;
    while (l + 1 < counts.size() && (left -= weight(l)) >= 0) ++l;
    if (!joins && counts[l] == 0) continue;  // rounding
    counts[l] += joins ? 1 : -1;
    total += joins ? 1 : -1;
  }
}

void MarginCentres::update(std::int64_t n, State& state, Rng& rng) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    std::vector<std::int64_t>& counts = state.counts[c];
    const std::size_t levels = counts.size();
    const double each = state.concentrations[c] / static_cast<double>(levels);
    set_total(column, each, n, counts, rng);
    if (levels < 2) continue;
    for (std::size_t i = 0; i < 2 * levels; ++i) move(column, counts, each, state.window, rng);
    std::vector<double> row;
    for (std::size_t l = 0; l < levels; ++l)
      row.push_back(static_cast<double>(counts[l]) + column.levels[l].known);
    const std::vector<double> even(levels, 1 / static_cast<double>(levels));
    state.concentrations[c] = draw_concentration(row, even, grid_, rng);
  }
}

void MarginCentres::draw(std::uint32_t variable, const State& state, std::span<double> centre,
                         Rng& rng) const {
  const std::size_t c = *place_[variable];
  for (std::size_t l = 0; l < centre.size(); ++l)
    centre[l] = kCentreCount + static_cast<double>(state.counts[c][l]) + columns_[c].levels[l].known;
  draw_dirichlet(centre, centre, rng);
}

}  // namespace postern::infer
