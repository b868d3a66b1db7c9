#include "kinds/bayes_net/network.hpp"

#include <map>

namespace postern::model {

std::vector<std::string> family_columns(const BayesNode& node) {
  std::vector<std::string> out = node.parents;
  out.push_back(node.column);
  return out;
}

graph::Dag dag_of(const BayesNet& net) {
  const auto nodes = static_cast<std::uint32_t>(net.nodes.size());
  std::map<std::string_view, std::uint32_t> index;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    index[net.nodes[i].column] = i;
    names.push_back(net.nodes[i].column);
  }
  std::vector<graph::Variables> parents(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    for (const std::string& parent : net.nodes[i].parents) {
      const auto found = index.find(parent);
      parents[i].push_back(found == index.end() ? nodes : found->second);
    }
  }
  return graph::Dag(std::move(parents), names);
}

std::vector<std::size_t> levels_by_tables(const BayesNet& net) {
  const graph::Dag dag = dag_of(net);
  std::vector<std::size_t> levels(net.nodes.size(), 0);
  for (const std::uint32_t node : dag.order()) {
    std::size_t rows = 1;
    for (const std::uint32_t parent : dag.parents(node)) rows *= levels[parent];
    levels[node] = net.nodes[node].alpha.size() / rows;
  }
  return levels;
}

std::size_t total_cells(const BayesNet& net) {
  std::size_t cells = 0;
  for (const BayesNode& node : net.nodes) cells += node.alpha.size();
  return cells;
}

}  // namespace postern::model
