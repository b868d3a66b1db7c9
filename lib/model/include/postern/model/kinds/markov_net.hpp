#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/graph/junction_tree.hpp"
#include "postern/graph/undirected.hpp"
#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/model.hpp"

namespace postern::model {

/// What a release is to choose of a network: nothing, a tree of pairs, or a tree and more pairs.
enum class Selection { none, tree, adaptive };

/// The most cells that the junction tree of a network may have.
inline constexpr std::int64_t kMostTreeCells = std::int64_t{1} << 24;

/// A Markov network of discrete columns: P(x) is proportional to a product of potentials, one a clique, and
/// the tables of the cliques are what is measured. One clique may lie within another: it is one more
/// measurement.
struct MarkovNet {
  std::vector<std::string> columns;       ///< in the order in which they are declared
  std::vector<std::uint32_t> levels;      ///< of each of them
  std::vector<graph::Variables> cliques;  ///< by places in `columns`, increasing; no two are equal
  /// Hyper-Dirichlet prior: what each cell of the largest clique has. Every other clique is as strong as a
  /// whole, so that cliques agree on what they share.
  Rational alpha{1, 2};
  /// Potentials are normal about 0 with this deviation, instead of the hyper-Dirichlet prior.
  std::optional<Rational> potential_sd = {};
  /// Where n is private: a share of the budget goes to the number of records by itself.
  bool noisy_total = false;
  /// Unless it is none there are no cliques yet: the release is to choose them.
  Selection select = Selection::none;
  std::size_t more_pairs = 0;  ///< adaptive: how many are chosen after the tree, at most
  std::size_t most_cells = 0;  ///< adaptive: of the junction tree of all that is chosen
  /// The scale of the prior is learned (docs/priors.md), as of the Bayesian network that this is; alpha is
  /// then the planning law's.
  bool learned = false;
};
[[nodiscard]] const Kind& kind_of(const MarkovNet& model);

/// Is the prior one of potentials: declared as such, or since the network has no hyper-Dirichlet law? Without
/// a deviation it is estimated from the tables (empirical Bayes).
[[nodiscard]] bool has_normal_prior(const MarkovNet& net);
/// May the scale of its prior be learned? It may if the network is decomposable, or a tree that is to be
/// chosen.
[[nodiscard]] bool takes_learned_prior(const MarkovNet& net);
/// Tables of the network as a Bayesian one, at the law of these potentials: one table a clique, row-major.
[[nodiscard]] std::vector<double> conditional_tables(const MarkovNet& net, std::span<const double> theta);
/// The names of a clique's columns.
[[nodiscard]] std::vector<std::string> clique_columns(const MarkovNet& net, const graph::Variables& clique);
/// All columns of a clique connected.
[[nodiscard]] graph::UndirectedGraph graph_of(const MarkovNet& net);
/// How many records the prior is worth: the sum of any clique's parameters.
[[nodiscard]] Rational prior_records(const MarkovNet& net);

/// Is every maximal clique of the network's graph, which has no cycle of four or more columns without a
/// chord, one of `cliques`? Then probabilities of the cliques' cells say all, and are free but for what they
/// share.
[[nodiscard]] bool is_decomposable(const MarkovNet& net);
/// The junction tree of the cliques, with edges added where the network is not decomposable; rooted where the
/// column is that is in most cliques.
[[nodiscard]] graph::JunctionTree junction_tree(const MarkovNet& net);
/// The same model as a Bayesian network, its prior too (decomposable.md beside the source): columns follow
/// the junction tree, each with those before it in its clique as parents, and begin with the one that is in
/// most cliques. Where the network is not decomposable, every law of it is one of the Bayesian network, which
/// has more, and the prior is that one's own.
[[nodiscard]] BayesNet directed(const MarkovNet& net);

}  // namespace postern::model
