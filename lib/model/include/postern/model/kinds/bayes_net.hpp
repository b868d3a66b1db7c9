#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/graph/dag.hpp"
#include "postern/model/model.hpp"

namespace postern::model {

/// A column whose law, given the levels of its parents, is one row of a table of probabilities.
struct BayesNode {
  std::string column;
  std::vector<std::string> parents;
  /// Dirichlet parameters of the rows: one a cell of the table over (parents..., column), row-major.
  std::vector<Rational> alpha;
};

/// A Bayesian network of discrete columns: P(x) = prod_i P(x_i | parents of i), and every row of every node's
/// table has a Dirichlet prior of its own. Nodes are in the order in which the study declares their columns.
struct BayesNet {
  std::vector<BayesNode> nodes;
  /// Set: written as kind = "naive-bayes". This column is the only parent of all others.
  std::optional<std::string> class_column;
  /// The scale of every row's prior is learned (docs/priors.md). The nodes' alpha is then the planning law's.
  bool learned = false;
};
[[nodiscard]] const Kind& kind_of(const BayesNet& model);

/// The columns of a node's table: its parents, then itself.
[[nodiscard]] std::vector<std::string> family_columns(const BayesNode& node);
/// Its nodes by their numbers, each with its parents in the order of its table.
/// Fails: bad_value for a cycle, which is named, and for a parent that is no node or is named twice.
[[nodiscard]] graph::Dag dag_of(const BayesNet& net);

/// Records of a network that were made up. They are made anew, and alike, whenever they are asked for, so
/// that they take no memory.
class SimulatedNetwork : public SimulatedRecords {
 public:
  /// @pre theta has all cells of all nodes' tables, in the order of Kind::parameters; sizes the levels of all
  /// nodes
  SimulatedNetwork(const BayesNet& net, std::vector<std::uint32_t> sizes, std::vector<double> theta,
                   std::int64_t n, const Rng& rng);
  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override;

 private:
  graph::Dag dag_;
  std::vector<std::size_t> offset_;  ///< of every node's table in theta
  std::vector<std::uint32_t> sizes_;
  std::vector<double> theta_;
  std::int64_t n_;
  Rng rng_;
};

}  // namespace postern::model
