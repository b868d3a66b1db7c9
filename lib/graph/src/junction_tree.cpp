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

/// What a clique outside of the growing tree would be joined by.
struct Link {
  std::size_t to = 0;
  std::size_t variables = 0;
  double cells = 0;
  [[nodiscard]] bool better_than(const Link& other) const {
    return variables != other.variables ? variables > other.variables : cells > other.cells;
  }
};

}  // namespace

JunctionTree::JunctionTree(const Elimination& elimination, Sizes sizes,
                           std::span<const std::uint32_t> root_at)
    : sizes_(std::move(sizes)), holders_(sizes_.size()), cells_(elimination.cells) {
  const std::vector<Variables>& cliques = elimination.cliques;
  std::vector<Link> links(cliques.size());
  std::vector<bool> in(cliques.size());
  std::size_t joining = pick_root(cliques, sizes_, sorted({root_at.begin(), root_at.end()}));
  for (;;) {
    const std::size_t c = nodes_.size();
    nodes_.push_back({cliques[joining], {}, kNone, {}});
    in[joining] = true;
    if (c > 0) {
      nodes_[c].parent = links[joining].to;
      nodes_[c].separator = shared(nodes_[c].clique, nodes_[nodes_[c].parent].clique);
      nodes_[nodes_[c].parent].children.push_back(c);
    }
    for (const std::uint32_t v : nodes_[c].clique) holders_[v].push_back(c);
    joining = kNone;
    for (std::size_t other = 0; other < cliques.size(); ++other) {
      if (in[other]) continue;
      const Variables both = shared(cliques[other], nodes_[c].clique);
      const Link link{c, both.size(), cells_of(both, sizes_)};
      if (link.better_than(links[other])) links[other] = link;
      if (joining == kNone || links[other].better_than(links[joining])) joining = other;
    }
    if (joining == kNone) return;
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
