#include "postern/graph/conditional_tables.hpp"

#include <numeric>
#include <utility>

namespace postern::graph {

ConditionalTables::ConditionalTables(JunctionTree tree, const std::vector<Variables>& factors,
                                     const std::vector<Variables>& families,
                                     const std::vector<Variables>& margins)
    : propagation_(std::move(tree), factors) {
  const Sizes& sizes = propagation_.tree().sizes();
  const auto add = [&](const Variables& variables, bool joint) {
    const auto cells = static_cast<std::size_t>(cells_of(variables, sizes));
    tables_.push_back({propagation_.margin(variables), cells, joint ? cells : sizes[variables.back()]});
    cells_ += cells;
  };
  for (const Variables& family : families) add(family, false);
  for (const Variables& margin : margins) add(margin, true);
}

void ConditionalTables::read(std::span<const double> logs, Workspace& work, std::span<double> out) const {
  propagation_.collect(logs, {}, work);
  propagation_.distribute(work);
  std::size_t first = 0;
  for (const Table& one : tables_) {
    const std::span<double> table = out.subspan(first, one.cells);
    propagation_.read(one.margin, work, table);
    for (std::size_t row = 0; row < one.cells; row += one.levels) {
      const std::span<double> levels = table.subspan(row, one.levels);
      const double sum = std::accumulate(levels.begin(), levels.end(), 0.0);
      for (double& p : levels) p = sum > 0 ? p / sum : 1 / static_cast<double>(one.levels);
    }
    first += one.cells;
  }
}

}  // namespace postern::graph
