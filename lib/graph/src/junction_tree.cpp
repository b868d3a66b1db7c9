#include "postern/graph/junction_tree.hpp"

#include <algorithm>

namespace postern::graph {
namespace {

Variables shared(const Variables& a, const Variables& b) {
  Variables out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return out;
}

std::size_t pick_root(const std::vector<Variables>& cliques, const Sizes& sizes, const Variables& at) {
  std::size_t best = JunctionTree::kNone;
  for (std::size_t c = 0; c < cliques.size() && !at.empty(); ++c) {
    if (!holds(cliques[c], at)) continue;
    if (best == JunctionTree::kNone || cells_of(cliques[c], sizes) < cells_of(cliques[best], sizes)) best = c;
  }
  if (best != JunctionTree::kNone) return best;
  best = 0;
  for (std::size_t c = 1; c < cliques.size(); ++c) {
    if (cells_of(cliques[c], sizes) > cells_of(cliques[best], sizes)) best = c;
  }
  return best;
}

}  // namespace

JunctionTree::JunctionTree(const Elimination& elimination, Sizes sizes,
                           std::span<const std::uint32_t> root_at)
    : sizes_(std::move(sizes)), holders_(sizes_.size()), cells_(elimination.cells) {
  const std::vector<Variables>& cliques = elimination.cliques;
  std::vector<std::vector<std::size_t>> around(cliques.size());
  for (const auto& [a, b] : elimination.links) {
    around[a].push_back(b);
    around[b].push_back(a);
  }
  std::vector<bool> in(cliques.size());
  const std::size_t root = pick_root(cliques, sizes_, sorted({root_at.begin(), root_at.end()}));
  grow(cliques, around, root, kNone, in);
  for (std::size_t c = 0; c < cliques.size(); ++c) {
    if (!in[c]) grow(cliques, around, c, 0, in);
  }
}

/// Adds a connected part of the cliques, from one of them outwards.
void JunctionTree::grow(const std::vector<Variables>& cliques,
                        const std::vector<std::vector<std::size_t>>& around, std::size_t first,
                        std::size_t parent, std::vector<bool>& in) {
  struct Step {
    std::size_t clique;
    std::size_t parent;
  };
  std::vector<Step> open{{first, parent}};
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    const std::size_t c = nodes_.size();
    in[step.clique] = true;
    nodes_.push_back({cliques[step.clique], {}, step.parent, {}});
    if (step.parent != kNone) {
      nodes_[c].separator = shared(nodes_[c].clique, nodes_[step.parent].clique);
      nodes_[step.parent].children.push_back(c);
    }
    for (const std::uint32_t v : nodes_[c].clique) holders_[v].push_back(c);
    for (const std::size_t other : around[step.clique]) {
      if (!in[other]) open.push_back({other, c});
    }
  }
}

std::optional<std::size_t> JunctionTree::home(std::span<const std::uint32_t> variables) const {
  const Variables all = sorted({variables.begin(), variables.end()});
  std::optional<std::size_t> best;
  const auto offer = [&](std::size_t c) {
    if (!holds(nodes_[c].clique, all)) return;
    if (!best || cells_of(nodes_[c].clique, sizes_) < cells_of(nodes_[*best].clique, sizes_)) best = c;
  };
  if (all.empty()) {
    for (std::size_t c = 0; c < size(); ++c) offer(c);
  } else if (all.back() < holders_.size()) {
    for (const std::size_t c : holders_[all.front()]) offer(c);
  }
  return best;
}

}  // namespace postern::graph
