#include "tables/row_priors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/draw.hpp"

#include "tables/concentration.hpp"
#include "tables/urn_tables.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kManyCells = 50;  ///< of a row: it tells log A to about 0.1
constexpr double kOfCentres = 0.5;      ///< Dirichlet parameter of a centre, a level
constexpr double kLeastShare = 1e-12;   ///< of a centre: a shift must not be 0

}  // namespace

RowPriors::RowPriors(std::vector<LearnedFamily> tables, double scale)
    : tables_(std::move(tables)),
      grid_(concentration_grid(scale)),
      fine_grid_(fine_concentration_grid(scale)) {}

void RowPriors::begin(std::span<const std::int64_t> counts, State& state, std::span<double> shifts,
                      Rng& rng) const {
  state.centres.clear();
  state.given.clear();
  std::size_t rows = 0;
  for (const LearnedFamily& table : tables_) {
    rows += table.row_shifts.size();
    const auto even = std::vector<double>(table.levels, 1 / static_cast<double>(table.levels));
    state.centres.push_back(table.centre.empty() ? even : table.centre);
    state.given.push_back(!table.centre.empty());
  }
  state.concentrations.assign(rows, grid_[grid_.size() / 2]);
  update(counts, state, shifts, rng);
}

void RowPriors::give_centre(std::size_t family, std::span<const double> centre, State& state) const {
  state.given[family] = true;
  for (std::size_t v = 0; v < centre.size(); ++v) state.centres[family][v] = std::max(centre[v], kLeastShare);
}

void RowPriors::update(std::span<const std::int64_t> counts, State& state, std::span<double> shifts,
                       Rng& rng) const {
  std::span<double> rest(state.concentrations);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const std::span<double> own = rest.first(tables_[t].row_shifts.size());
    rest = rest.subspan(own.size());
    update_table(tables_[t], counts, state.given[t], state.centres[t], own, rng);
    write(tables_[t], state.centres[t], own, shifts);
  }
}

void RowPriors::update_table(const LearnedFamily& table, std::span<const std::int64_t> counts, bool given,
                             std::vector<double>& centre, std::span<double> concentrations, Rng& rng) const {
  std::vector<double> row(table.levels);
  std::vector<double> urns(table.levels, kOfCentres);
  for (std::size_t r = 0; r < concentrations.size(); ++r) {
    for (std::size_t v = 0; v < table.levels; ++v) {
      const std::size_t cell = r * table.levels + v;
      row[v] = static_cast<double>(counts[table.cells[cell]]) + (table.known.empty() ? 0 : table.known[cell]);
    }
    const std::vector<double>& grid = row.size() > kManyCells ? fine_grid_ : grid_;
    concentrations[r] = draw_concentration(row, centre, grid, rng);
    if (given) continue;
    for (std::size_t v = 0; v < table.levels; ++v) {
      const auto count = static_cast<std::int64_t>(row[v]);
      urns[v] += static_cast<double>(draw_urn_tables(concentrations[r] * centre[v], count, rng));
    }
  }
  if (given) return;
  draw_dirichlet(urns, centre, rng);
  for (double& share : centre) share = std::max(share, kLeastShare);
}

void RowPriors::write(const LearnedFamily& table, std::span<const double> centre,
                      std::span<const double> concentrations, std::span<double> shifts) {
  for (std::size_t r = 0; r < concentrations.size(); ++r) {
    double& all = shifts[table.row_shifts[r]] = concentrations[r];
    for (std::size_t v = 0; v < table.levels; ++v) {
      const std::size_t cell = r * table.levels + v;
      const double known = table.known.empty() ? 0 : table.known[cell];
      shifts[table.shifts[cell]] = concentrations[r] * centre[v] + known;
      all += known;
    }
  }
}

}  // namespace postern::infer
