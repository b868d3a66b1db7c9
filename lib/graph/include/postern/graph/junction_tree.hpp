#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "postern/graph/elimination.hpp"
#include "postern/graph/undirected.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// Cliques in a tree such that those that hold a variable are connected. One tree always: parts of a graph
/// that are not connected meet at empty separators, whose tables are one number. A graph of no variables is
/// one empty clique. Cliques are numbered from the root, parents before children: messages go up from the
/// last clique to the first, and down from the first to the last.
class JunctionTree {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// From the cliques of an elimination and their links. The root is the smallest clique that holds
  /// `root_at`, if that is not empty and one does, else the largest clique.
  JunctionTree(const Elimination& elimination, Sizes sizes, std::span<const std::uint32_t> root_at = {});
  /// By the cheapest elimination of a graph.
  JunctionTree(const UndirectedGraph& graph, Sizes sizes, std::span<const std::uint32_t> root_at = {})
      : JunctionTree(cheapest_elimination(graph, sizes), sizes, root_at) {}

  [[nodiscard]] const Sizes& sizes() const { return sizes_; }  ///< of all variables
  [[nodiscard]] std::size_t size() const {
    return nodes_.size();
  }  ///< number of cliques, at least 1; 0 is the root
  [[nodiscard]] const Variables& clique(std::size_t c) const { return nodes_[c].clique; }  ///< increasing
  /// What c shares with its parent, increasing; empty for the root.
  [[nodiscard]] const Variables& separator(std::size_t c) const { return nodes_[c].separator; }
  [[nodiscard]] std::size_t parent(std::size_t c) const { return nodes_[c].parent; }  ///< kNone for the root
  [[nodiscard]] const std::vector<std::size_t>& children(std::size_t c) const { return nodes_[c].children; }
  /// The smallest clique (ties: the least) that holds all of `variables`, in any order; nothing if none does.
  [[nodiscard]] std::optional<std::size_t> home(std::span<const std::uint32_t> variables) const;
  [[nodiscard]] double cells() const { return cells_; }

 private:
  struct Node {
    Variables clique;
    Variables separator;
    std::size_t parent = kNone;
    std::vector<std::size_t> children;
  };

  void grow(const std::vector<Variables>& cliques, const std::vector<std::vector<std::size_t>>& around,
            std::size_t first, std::size_t parent, std::vector<bool>& in);

  Sizes sizes_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::size_t>> holders_;  ///< cliques of each variable
  double cells_ = 0;
};

}  // namespace postern::graph
