#include "postern/graph/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "table_kernels.hpp"

namespace postern::graph {

Propagation::Propagation(JunctionTree tree, const std::vector<Variables>& scopes)
    : tree_(std::move(tree)), cliques_(tree_.size()), offsets_{0} {
  const Sizes& sizes = tree_.sizes();
  for (std::size_t c = 0; c < tree_.size(); ++c) {
    Clique& clique = cliques_[c];
    clique.variables = tree_.separator(c);
    std::ranges::set_difference(tree_.clique(c), tree_.separator(c), std::back_inserter(clique.variables));
    clique.rows = static_cast<std::size_t>(cells_of(tree_.separator(c), sizes));
    clique.columns = static_cast<std::size_t>(cells_of(tree_.clique(c), sizes)) / clique.rows;
    clique.offset = cells_;
    clique.message = messages_;
    cells_ += clique.rows * clique.columns;
    messages_ += clique.rows;
    if (c > 0) clique.to_parent = Strided(cliques_[tree_.parent(c)].variables, tree_.separator(c), sizes);
  }
  for (const Variables& scope : scopes) {
    const auto home = tree_.home(scope);
    if (!home) throw Error(ErrorCode::internal, {"a factor's variables are in no clique of the tree"});
    factors_.push_back({*home, Strided(cliques_[*home].variables, scope, sizes)});
    offsets_.push_back(offsets_.back() + static_cast<std::size_t>(cells_of(scope, sizes)));
  }
}

Propagation::Workspace Propagation::workspace() const {
  return {std::vector<double>(cells_), std::vector<double>(messages_), std::vector<std::size_t>(messages_)};
}

void Propagation::load(std::span<const double> logs, std::span<double> cells) const {
  std::ranges::fill(cells, 0.0);
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    table_kernels().add(walk_of(factors_[f].cells), logs.data() + offsets_[f],
                        cells.data() + cliques_[factors_[f].clique].offset);
  }
}

void Propagation::load(std::span<const double> logs, const Evidence& evidence, Workspace& work) const {
  load(logs, work.cells);
  for (const Seen& seen : evidence) {
    const Variables one{seen.variable};
    const Clique& clique = cliques_[*tree_.home(one)];
    double* cells = work.cells.data() + clique.offset;
    const Strided levels(clique.variables, one, tree_.sizes());
    levels.walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
      for (std::size_t i = 0; i < count; ++i) {
        if (other + i * step != seen.level) cells[first + i] = kMinusInfinity;
      }
    });
  }
}

void Propagation::normalise_rows(std::size_t c, Workspace& work) const {
  const Clique& clique = cliques_[c];
  table_kernels().normalise_rows(work.cells.data() + clique.offset, clique.rows, clique.columns,
                                 work.messages.data() + clique.message);
}

void Propagation::maximise_rows(std::size_t c, Workspace& work) const {
  const Clique& clique = cliques_[c];
  const double* row = work.cells.data() + clique.offset;
  for (std::size_t r = 0; r < clique.rows; ++r, row += clique.columns) {
    const double* best = std::max_element(row, row + clique.columns);
    work.messages[clique.message + r] = *best;
    work.best[clique.message + r] = static_cast<std::size_t>(best - row);
  }
}

void Propagation::add_to_parent(std::size_t c, std::span<const double> messages,
                                std::span<double> cells) const {
  table_kernels().add(walk_of(cliques_[c].to_parent), messages.data() + cliques_[c].message,
                      cells.data() + cliques_[tree_.parent(c)].offset);
}

void Propagation::sum_from_parent(std::size_t c, std::span<const double> cells,
                                  std::span<double> messages) const {
  double* separator = messages.data() + cliques_[c].message;
  std::fill_n(separator, cliques_[c].rows, 0.0);
  table_kernels().sum(walk_of(cliques_[c].to_parent), cells.data() + cliques_[tree_.parent(c)].offset,
                      separator);
}

double Propagation::collect(std::span<const double> logs, const Evidence& evidence, Workspace& work) const {
  load(logs, evidence, work);
  for (std::size_t c = tree_.size(); c-- > 1;) {
    normalise_rows(c, work);
    add_to_parent(c, work.messages, work.cells);
  }
  normalise_rows(0, work);
  return work.messages[0];
}

/// Beliefs of c from those of its parent; the message becomes the separator's beliefs.
void Propagation::descend(std::size_t c, Workspace& work) const {
  const Clique& clique = cliques_[c];
  sum_from_parent(c, work.cells, work.messages);
  table_kernels().scale_rows(work.cells.data() + clique.offset, clique.rows, clique.columns,
                             work.messages.data() + clique.message);
}

void Propagation::distribute(Workspace& work) const {
  for (std::size_t c = 1; c < tree_.size(); ++c) descend(c, work);
}

void Propagation::distribute(Workspace& work, const std::vector<bool>& wanted) const {
  for (std::size_t c = 1; c < tree_.size(); ++c) {
    if (wanted[c]) descend(c, work);
  }
}

Propagation::Margin Propagation::margin(std::span<const std::uint32_t> variables) const {
  const auto home = tree_.home(variables);
  if (!home) throw Error(ErrorCode::internal, {"no clique holds all variables of a margin"});
  return {*home, Strided(cliques_[*home].variables, variables, tree_.sizes())};
}

void Propagation::read(const Margin& margin, const Workspace& work, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  table_kernels().sum(walk_of(margin.cells), work.cells.data() + cliques_[margin.clique].offset, out.data());
}

std::vector<double> Propagation::marginal(std::span<const std::uint32_t> variables,
                                          const Workspace& work) const {
  std::vector<double> out(static_cast<std::size_t>(cells_of(variables, tree_.sizes())));
  read(margin(variables), work, out);
  return out;
}

std::size_t Propagation::row_of(std::size_t c, std::span<const std::uint32_t> state) const {
  std::size_t row = 0;
  for (const std::uint32_t v : tree_.separator(c)) row = row * tree_.sizes()[v] + state[v];
  return row;
}

void Propagation::write_column(std::size_t c, std::size_t column, std::span<std::uint32_t> state) const {
  const Variables& variables = cliques_[c].variables;
  for (std::size_t i = variables.size(); i-- > tree_.separator(c).size();) {
    const std::size_t size = tree_.sizes()[variables[i]];
    state[variables[i]] = static_cast<std::uint32_t>(column % size);
    column /= size;
  }
}

double Propagation::maximise(std::span<const double> logs, const Evidence& evidence, Workspace& work,
                             std::span<std::uint32_t> state) const {
  load(logs, evidence, work);
  for (std::size_t c = tree_.size(); c-- > 1;) {
    maximise_rows(c, work);
    add_to_parent(c, work.messages, work.cells);
  }
  maximise_rows(0, work);
  if (work.messages[0] == kMinusInfinity) return kMinusInfinity;
  for (std::size_t c = 0; c < tree_.size(); ++c)
    write_column(c, work.best[cliques_[c].message + row_of(c, state)], state);
  return work.messages[0];
}

void Propagation::draw(const Workspace& work, std::span<std::uint32_t> state, Rng& rng) const {
  for (std::size_t c = 0; c < tree_.size(); ++c) {
    const Clique& clique = cliques_[c];
    const double* row = work.cells.data() + clique.offset + row_of(c, state) * clique.columns;
    double left = rng.uniform() * std::accumulate(row, row + clique.columns, 0.0);
    std::size_t last = 0;  // of positive probability: rounding may leave a little when all are passed
    for (std::size_t column = 0; column < clique.columns && left >= 0; ++column) {
      if (row[column] <= 0) continue;
      last = column;
      left -= row[column];
    }
    write_column(c, last, state);
  }
}

}  // namespace postern::graph
