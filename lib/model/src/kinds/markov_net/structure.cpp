#include <algorithm>
#include <set>

#include "postern/graph/conditional_tables.hpp"
#include "postern/graph/junction_tree.hpp"
#include "postern/model/kinds/markov_net.hpp"

namespace postern::model {
namespace {

/// Without an edge more than needed: where the graph is chordal already, min-fill adds none.
graph::Elimination triangulated(const MarkovNet& net) {
  return graph::eliminate(graph_of(net), net.levels, graph::Greedy::min_fill);
}

/// The column that is in most cliques; of several the first.
std::uint32_t hub(const MarkovNet& net) {
  std::vector<std::size_t> cliques(net.columns.size(), 0);
  for (const graph::Variables& clique : net.cliques) {
    for (const std::uint32_t v : clique) ++cliques[v];
  }
  return static_cast<std::uint32_t>(std::max_element(cliques.begin(), cliques.end()) - cliques.begin());
}

/// Parents in a perfect ordering: of every column those before it in the first clique of the tree that holds
/// it. With `first` as the root.
std::vector<graph::Variables> perfect_parents(const graph::JunctionTree& tree, std::uint32_t first) {
  std::vector<graph::Variables> parents(tree.sizes().size());
  std::vector<bool> placed(parents.size(), false);
  for (std::size_t c = 0; c < tree.size(); ++c) {
    graph::Variables before = tree.separator(c);
    graph::Variables rest;
    for (const std::uint32_t v : tree.clique(c)) {
      if (!placed[v]) rest.push_back(v);
    }
    std::stable_partition(rest.begin(), rest.end(), [&](std::uint32_t v) { return v == first; });
    for (const std::uint32_t v : rest) {
      placed[v] = true;
      parents[v] = graph::sorted(before);
      before.push_back(v);
    }
  }
  return parents;
}

}  // namespace

std::vector<std::string> clique_columns(const MarkovNet& net, const graph::Variables& clique) {
  std::vector<std::string> out;
  for (const std::uint32_t v : clique) out.push_back(net.columns[v]);
  return out;
}

graph::UndirectedGraph graph_of(const MarkovNet& net) {
  graph::UndirectedGraph out(net.columns.size());
  for (const graph::Variables& clique : net.cliques) out.connect_all(clique);
  return out;
}

Rational prior_records(const MarkovNet& net) {
  double largest = 1;
  for (const graph::Variables& clique : net.cliques)
    largest = std::max(largest, graph::cells_of(clique, net.levels));
  return net.alpha * Rational(largest);
}

bool is_decomposable(const MarkovNet& net) {
  const std::set<graph::Variables> own(net.cliques.begin(), net.cliques.end());
  const graph::Elimination elimination = triangulated(net);
  return std::all_of(elimination.cliques.begin(), elimination.cliques.end(),
                     [&](const graph::Variables& clique) { return own.contains(clique); });
}

bool has_normal_prior(const MarkovNet& net) {
  return net.potential_sd || (net.select == Selection::none && !is_decomposable(net));
}

bool takes_learned_prior(const MarkovNet& net) {
  return net.select != Selection::adaptive && !has_normal_prior(net);
}

std::vector<double> conditional_tables(const MarkovNet& net, std::span<const double> theta) {
  const graph::Dag dag = dag_of(directed(net));
  std::vector<graph::Variables> families;
  for (std::uint32_t v = 0; v < net.columns.size(); ++v) families.push_back(dag.family(v));
  const graph::ConditionalTables tables(junction_tree(net), net.cliques, families);
  graph::ConditionalTables::Workspace work = tables.workspace();
  std::vector<double> out(tables.cells());
  tables.read(theta, work, out);
  return out;
}

graph::JunctionTree junction_tree(const MarkovNet& net) {
  const graph::Elimination elimination =
      is_decomposable(net) ? triangulated(net) : graph::cheapest_elimination(graph_of(net), net.levels);
  return {elimination, net.levels, std::vector{hub(net)}};
}

BayesNet directed(const MarkovNet& net) {
  const std::vector<graph::Variables> parents = perfect_parents(junction_tree(net), hub(net));
  const Rational records = prior_records(net);
  BayesNet out;
  out.learned = net.learned && takes_learned_prior(net);
  for (std::uint32_t v = 0; v < net.columns.size(); ++v) {
    graph::Variables family = parents[v];
    family.push_back(v);
    const auto cells = static_cast<std::size_t>(graph::cells_of(family, net.levels));
    const Rational each = out.learned ? net.alpha : records / static_cast<unsigned long>(cells);
    out.nodes.push_back(
        {net.columns[v], clique_columns(net, parents[v]), std::vector<Rational>(cells, each)});
  }
  return out;
}

}  // namespace postern::model
