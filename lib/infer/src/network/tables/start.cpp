#include "start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/draw.hpp"
#include "postern/graph/propagation.hpp"
#include "postern/infer/network/plug_in.hpp"

namespace postern::infer {

TablesStart::TablesStart(const NetworkTarget& target) : target_(&target) {
  const LatentTables& tables = target.tables();
  const graph::JunctionTree& tree = tables.tree();
  records_ = std::llround(plug_in_total(target.problem()));
  const std::vector<std::vector<double>> weights = plug_in(target.problem());

  std::vector<graph::Variables> scopes;
  std::vector<double> logs;
  for (const NetworkTarget::Family& family : target.families()) {
    const std::vector<double>& own = weights[target.original(family.variable)];
    const std::size_t levels = tree.sizes()[family.variable];
    std::vector<double> theta(own.size());
    std::vector<double> below(own.size());
    for (std::size_t row = 0; row < own.size(); row += levels) {
      double sum = 0;
      for (std::size_t k = row; k < row + levels; ++k) sum += own[k];
      double up_to = 0;
      for (std::size_t k = row; k < row + levels; ++k) {
        up_to += own[k] / sum;
        below[family.places[k] - family.cells->offset] = up_to;
        theta[family.places[k] - family.cells->offset] = own[k] / sum;
      }
    }
    scopes.push_back(family.cells->variables);
    for (const double p : theta) logs.push_back(std::log(p));
    below_.push_back(std::move(below));
  }

  const graph::Propagation propagation(tree, scopes);
  graph::Propagation::Workspace work = propagation.workspace();
  propagation.collect(logs, {}, work);
  propagation.distribute(work);
  for (std::size_t c = 0; c < tree.size(); ++c) {
    graph::Variables variables = tree.separator(c);
    std::set_difference(tree.clique(c).begin(), tree.clique(c).end(), tree.separator(c).begin(),
                        tree.separator(c).end(), std::back_inserter(variables));
    Clique clique;
    clique.places = tables.places(variables);
    if (c > 0) {
      clique.parent = tables.clique(tree.parent(c)).offset;
      clique.rows = tables.separator(c).cells;
      clique.from_parent = graph::Strided(tree.clique(tree.parent(c)), tree.separator(c), tree.sizes());
    }
    clique.probabilities = propagation.marginal(variables, work);
    cliques_.push_back(std::move(clique));
  }
}

void TablesStart::draw(std::span<std::int64_t> counts, Rng& rng) const {
  std::vector<double> p;
  std::vector<std::int64_t> drawn;
  std::vector<std::int64_t> rows;
  for (std::size_t c = 0; c < cliques_.size(); ++c) {
    const Clique& clique = cliques_[c];
    rows.assign(clique.rows, c == 0 ? records_ : 0);
    const auto add = [&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
      for (std::size_t i = 0; i < count; ++i) rows[other + i * step] += counts[clique.parent + first + i];
    };
    if (c > 0) clique.from_parent.walk(add);
    const std::size_t length = clique.places.size() / clique.rows;
    for (std::size_t row = 0; row < clique.rows; ++row) {
      if (rows[row] == 0) continue;
      const auto from = clique.probabilities.begin() + static_cast<std::ptrdiff_t>(row * length);
      p.assign(from, from + static_cast<std::ptrdiff_t>(length));
      const double sum = std::accumulate(p.begin(), p.end(), 0.0);
      for (double& value : p) value /= sum;
      drawn.assign(length, 0);
      draw_multinomial(rows[row], p, drawn, rng);
      for (std::size_t k = 0; k < length; ++k) counts[clique.places[row * length + k]] = drawn[k];
    }
  }
  target_->tables().sum_cliques(counts);
}

}  // namespace postern::infer
