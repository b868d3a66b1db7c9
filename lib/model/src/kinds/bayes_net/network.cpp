#include "kinds/bayes_net/network.hpp"

#include <algorithm>
#include <map>
#include <queue>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

using Parents = std::vector<std::vector<std::size_t>>;

/// Nodes that can be put parents first, in that order; of those that could come next, the first node.
std::vector<std::size_t> sorted_part(const Parents& parents) {
  std::vector<std::size_t> waiting(parents.size());
  Parents children(parents.size());
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    waiting[i] = parents[i].size();
    for (const std::size_t parent : parents[i]) children[parent].push_back(i);
    if (waiting[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> out;
  while (!ready.empty()) {
    const std::size_t node = ready.top();
    ready.pop();
    out.push_back(node);
    for (const std::size_t child : children[node]) {
      if (--waiting[child] == 0) ready.push(child);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> family_columns(const BayesNode& node) {
  std::vector<std::string> out = node.parents;
  out.push_back(node.column);
  return out;
}

std::vector<std::vector<std::size_t>> parent_indices(const BayesNet& net) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < net.nodes.size(); ++i) index[net.nodes[i].column] = i;
  Parents out(net.nodes.size());
  for (std::size_t i = 0; i < net.nodes.size(); ++i) {
    for (const std::string& parent : net.nodes[i].parents) {
      const auto found = index.find(parent);
      if (found == index.end())
        throw Error(ErrorCode::internal, {"a parent of a network's node is not one of its nodes"});
      out[i].push_back(found->second);
    }
  }
  return out;
}

std::vector<std::size_t> parents_first(const BayesNet& net) {
  std::vector<std::size_t> out = sorted_part(parent_indices(net));
  if (out.size() != net.nodes.size())
    throw Error(ErrorCode::internal, {"a network with a cycle has no order"});
  return out;
}

/// Whatever could not be sorted has a parent that could not be sorted: walking up among these must come back.
std::vector<std::size_t> find_cycle(const Parents& parents) {
  std::vector<bool> left(parents.size(), true);
  for (const std::size_t node : sorted_part(parents)) left[node] = false;
  const auto start = std::find(left.begin(), left.end(), true);
  if (start == left.end()) return {};
  std::vector<std::size_t> walk{static_cast<std::size_t>(start - left.begin())};
  while (true) {
    const std::vector<std::size_t>& above = parents[walk.back()];
    const std::size_t next =
        *std::find_if(above.begin(), above.end(), [&](std::size_t p) { return left[p]; });
    const auto seen = std::find(walk.begin(), walk.end(), next);
    if (seen != walk.end()) {
      std::vector<std::size_t> cycle(seen, walk.end());
      std::reverse(cycle.begin(), cycle.end());
      std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
      return cycle;
    }
    walk.push_back(next);
  }
}

std::vector<std::size_t> levels_by_tables(const BayesNet& net) {
  const Parents parents = parent_indices(net);
  std::vector<std::size_t> levels(net.nodes.size(), 0);
  for (const std::size_t node : parents_first(net)) {
    std::size_t rows = 1;
    for (const std::size_t parent : parents[node]) rows *= levels[parent];
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
