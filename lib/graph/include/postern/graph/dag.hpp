#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/graph/undirected.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// A directed acyclic graph: each variable with its parents, in the order that its table has them.
class Dag {
 public:
  Dag() = default;
  /// Fails: bad_value for a cycle, which is named ("a -> b -> a"), for a parent that is no variable, and for
  /// one that is named twice. `names` are for these sentences; without them variables go by their numbers.
  explicit Dag(std::vector<Variables> parents, std::span<const std::string> names = {});
  [[nodiscard]] std::size_t size() const { return parents_.size(); }
  [[nodiscard]] const Variables& parents(std::uint32_t v) const { return parents_[v]; }
  [[nodiscard]] const Variables& children(std::uint32_t v) const { return children_[v]; }  ///< increasing
  [[nodiscard]] Variables family(std::uint32_t v) const;  ///< the parents in their order, then v
  /// Parents before children; of those that could come next, the least.
  [[nodiscard]] const Variables& order() const { return order_; }
  /// Which variables are among `some` or are ancestors of one of them.
  [[nodiscard]] std::vector<bool> ancestral(std::span<const std::uint32_t> some) const;
  [[nodiscard]] UndirectedGraph moral() const;  ///< each family connected

 private:
  std::vector<Variables> parents_;
  std::vector<Variables> children_;
  Variables order_;
};

/// Variables each of which is a parent of the next, and the last of the first; nothing if there is no cycle.
/// @pre every parent is a variable.
[[nodiscard]] std::optional<Variables> find_cycle(const std::vector<Variables>& parents);

}  // namespace postern::graph
