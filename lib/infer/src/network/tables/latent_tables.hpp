#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "postern/graph/junction_tree.hpp"

namespace postern::infer {

/// The integer tables of one latent data set: those of the cliques of a junction tree, of its separators, and
/// others that are margins of a clique. Their cells lie one behind the other in one array of counts; this
/// says where. A table is row-major over its variables in increasing order.
class LatentTables {
 public:
  struct Table {
    graph::Variables variables;        ///< increasing
    std::vector<std::size_t> strides;  ///< of each of them
    std::size_t offset = 0;            ///< of its first cell
    std::size_t cells = 1;
  };

  /// @pre each of `scopes` is increasing and within a clique.
  LatentTables(graph::JunctionTree tree, std::span<const graph::Variables> scopes);

  [[nodiscard]] const graph::JunctionTree& tree() const { return tree_; }
  [[nodiscard]] const std::vector<Table>& tables() const { return tables_; }
  [[nodiscard]] std::size_t cells() const { return cells_; }  ///< of all tables
  /// The table over increasing variables. @pre there is one
  [[nodiscard]] const Table& over(const graph::Variables& variables) const;
  /// The same, or nothing if there is none.
  [[nodiscard]] const Table* find(const graph::Variables& variables) const;
  [[nodiscard]] const Table& clique(std::size_t c) const { return tables_[cliques_[c]]; }
  [[nodiscard]] const Table& separator(std::size_t c) const { return tables_[separators_[c]]; }  ///< c > 0
  [[nodiscard]] std::size_t total() const { return tables_[total_].offset; }  ///< the cell that holds n

  /// Where the cells of a table are, row-major over its variables in the order given.
  [[nodiscard]] std::vector<std::size_t> places(std::span<const std::uint32_t> variables) const;
  /// All other tables from those of the cliques.
  void sum_cliques(std::span<std::int64_t> counts) const;
  /// Where a record is in a table. @pre `record` has a level for each variable of the table
  [[nodiscard]] static std::size_t cell(const Table& table, std::span<const std::uint32_t> record) {
    std::size_t at = table.offset;
    for (std::size_t i = 0; i < table.variables.size(); ++i)
      at += table.strides[i] * record[table.variables[i]];
    return at;
  }

 private:
  std::size_t add(const graph::Variables& variables);

  graph::JunctionTree tree_;
  std::vector<Table> tables_;
  std::map<graph::Variables, std::size_t> index_;
  std::vector<std::size_t> cliques_;
  std::vector<std::size_t> separators_;
  std::size_t total_ = 0;
  std::size_t cells_ = 0;
};

}  // namespace postern::infer
