#include "markov/posterior/family_tables.hpp"

#include <algorithm>
#include <numeric>

namespace postern::infer::markov {

FamilyTables::FamilyTables(const graph::LogLinear& model, const MarkovReport& report)
    : propagation_(report.tree, model.cliques()) {
  for (const graph::Variables& family : report.families) {
    Family& one = families_.emplace_back();
    one.margin = propagation_.margin(family);
    one.cells = static_cast<std::size_t>(graph::cells_of(family, model.sizes()));
    one.levels = model.sizes()[family.back()];
    cells_ += one.cells;
  }
  for (const graph::Variables& variables : report.margins) {
    const auto cells = static_cast<std::size_t>(graph::cells_of(variables, model.sizes()));
    families_.push_back({propagation_.margin(variables), cells, cells});
    cells_ += cells;
  }
}

void FamilyTables::read(std::span<const double> theta, Workspace& work, std::span<double> out) const {
  propagation_.collect(theta, {}, work);
  propagation_.distribute(work);
  std::size_t first = 0;
  for (const Family& family : families_) {
    const std::span<double> table = out.subspan(first, family.cells);
    propagation_.read(family.margin, work, table);
    for (std::size_t row = 0; row < family.cells; row += family.levels) {
      const std::span<double> levels = table.subspan(row, family.levels);
      const double sum = std::accumulate(levels.begin(), levels.end(), 0.0);
      for (double& p : levels) p = sum > 0 ? p / sum : 1 / static_cast<double>(family.levels);
    }
    first += family.cells;
  }
}

}  // namespace postern::infer::markov
