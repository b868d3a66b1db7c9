#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/graph/propagation.hpp"

namespace postern::graph {

/// P(last | the others) of families of variables, and joint tables of margins, under laws that are products
/// of factors. Compiled once. Immutable; what changes is in a Workspace, one a thread.
class ConditionalTables {
 public:
  using Workspace = Propagation::Workspace;
  /// Fails: internal if a factor, a family or a margin is in no clique of the tree.
  ConditionalTables(JunctionTree tree, const std::vector<Variables>& factors,
                    const std::vector<Variables>& families, const std::vector<Variables>& margins = {});
  [[nodiscard]] std::size_t cells() const { return cells_; }  ///< of all tables
  [[nodiscard]] Workspace workspace() const { return propagation_.workspace(); }
  /// One table behind the other, row-major. A row that cannot be is even. @pre the factors leave a state
  void read(std::span<const double> logs, Workspace& work, std::span<double> out) const;

 private:
  struct Table {
    Propagation::Margin margin;
    std::size_t cells = 1;
    std::size_t levels = 1;  ///< that sum to 1: of the last variable, or all cells of a margin
  };

  Propagation propagation_;
  std::vector<Table> tables_;
  std::size_t cells_ = 0;
};

}  // namespace postern::graph
