#include "latent_tables.hpp"

#include <algorithm>
#include <utility>

#include "postern/graph/strided.hpp"

namespace postern::infer {

LatentTables::LatentTables(graph::JunctionTree tree, std::span<const graph::Variables> scopes)
    : tree_(std::move(tree)) {
  for (std::size_t c = 0; c < tree_.size(); ++c) cliques_.push_back(add(tree_.clique(c)));
  for (std::size_t c = 0; c < tree_.size(); ++c) separators_.push_back(add(tree_.separator(c)));
  total_ = add({});
  for (const graph::Variables& scope : scopes) add(scope);
}

std::size_t LatentTables::add(const graph::Variables& variables) {
  const auto [known, fresh] = index_.try_emplace(variables, tables_.size());
  if (!fresh) return known->second;
  Table table;
  table.variables = variables;
  table.strides.resize(variables.size());
  for (std::size_t i = variables.size(); i-- > 0;) {
    table.strides[i] = table.cells;
    table.cells *= tree_.sizes()[variables[i]];
  }
  table.offset = cells_;
  cells_ += table.cells;
  tables_.push_back(std::move(table));
  return known->second;
}

const LatentTables::Table& LatentTables::over(const graph::Variables& variables) const {
  return tables_[index_.at(variables)];
}

const LatentTables::Table* LatentTables::find(const graph::Variables& variables) const {
  const auto place = index_.find(variables);
  return place == index_.end() ? nullptr : &tables_[place->second];
}

std::vector<std::size_t> LatentTables::places(std::span<const std::uint32_t> variables) const {
  const Table& table = over(graph::sorted({variables.begin(), variables.end()}));
  std::vector<std::size_t> out(table.cells, table.offset);
  std::size_t inner = 1;
  for (std::size_t i = variables.size(); i-- > 0;) {
    const std::size_t size = tree_.sizes()[variables[i]];
    const auto place = std::lower_bound(table.variables.begin(), table.variables.end(), variables[i]);
    const std::size_t stride = table.strides[static_cast<std::size_t>(place - table.variables.begin())];
    for (std::size_t cell = 0; cell < out.size(); ++cell) out[cell] += cell / inner % size * stride;
    inner *= size;
  }
  return out;
}

void LatentTables::sum_cliques(std::span<std::int64_t> counts) const {
  for (const Table& table : tables_) {
    const Table& home = clique(tree_.home(table.variables).value_or(0));
    if (&home == &table) continue;
    const std::span<std::int64_t> out = counts.subspan(table.offset, table.cells);
    std::fill(out.begin(), out.end(), 0);
    const graph::Strided walk(home.variables, table.variables, tree_.sizes());
    walk.walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
      for (std::size_t i = 0; i < count; ++i) out[other + i * step] += counts[home.offset + first + i];
    });
  }
}

}  // namespace postern::infer
