#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "postern/infer/network/problem.hpp"

#include "cell_potentials.hpp"
#include "latent_tables.hpp"
#include "leaf.hpp"
#include "network_shape.hpp"
#include "network_sums.hpp"
#include "tables/cell_shifts.hpp"
#include "tables/row_priors.hpp"

namespace postern::infer {

/// The posterior of the tables of a network's latent data set, parameters and leaves integrated out (a leaf:
/// a variable without children), as tables_chain.md has it. Everything about tables is in the numbers that
/// the variables have in the core, those that are not integrated out.
class NetworkTarget {
 public:
  /// A variable of the core given its parents.
  struct Family {
    std::uint32_t variable = 0;
    const LatentTables::Table* cells = nullptr;
    const LatentTables::Table* rows = nullptr;
    std::vector<double> alpha;        ///< as `cells` has them
    std::vector<double> row_alpha;    ///< sums, as `rows` has them
    std::vector<std::size_t> places;  ///< of the cells, in the problem's order
    std::size_t level_stride = 1;     ///< of the variable in `cells`
    std::size_t first_shift = 0;      ///< of the cells in a state's shifts; then those of the rows
    [[nodiscard]] std::size_t row_shift() const { return first_shift + alpha.size(); }
  };
  /// Fails: bad_value; engine_limit if chains on the tables would need more than
  /// kNetworkTablesBytes, with the largest cliques by `names`.
  [[nodiscard]] static NetworkTarget make(const NetworkProblem& problem, std::size_t chains, int threads,
                                          std::span<const std::string> names);

  NetworkTarget(const NetworkTarget&) = delete;  // families point to tables
  NetworkTarget& operator=(const NetworkTarget&) = delete;
  ~NetworkTarget() = default;

  [[nodiscard]] const NetworkProblem& problem() const { return problem_; }
  [[nodiscard]] const LatentTables& tables() const { return tables_; }
  [[nodiscard]] const NetworkSums& sums() const { return sums_; }
  /// Of the tables' cells, and of the sums behind them.
  [[nodiscard]] const CellPotentials& potentials() const { return potentials_; }
  /// Which shifts are learned, of which cells, and from what law. Without a learned prior there are none.
  [[nodiscard]] const CellShifts& learned() const { return learned_; }
  [[nodiscard]] const RowPriors& row_priors() const { return row_priors_; }
  /// All rows' Dirichlet parameters, as families place them.
  [[nodiscard]] std::vector<double> shifts() const;
  /// Parents before children.
  [[nodiscard]] const std::vector<Family>& families() const { return families_; }
  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  /// The cells of a leaf's parents, row by row of its CPT.
  [[nodiscard]] const std::vector<std::size_t>& rows_of_leaf(std::size_t leaf) const {
    return leaf_rows_[leaf];
  }
  /// The variable of the problem with this number of the core.
  [[nodiscard]] std::uint32_t original(std::uint32_t core) const { return core_[core]; }
  [[nodiscard]] bool latent() const { return latent_; }
  [[nodiscard]] std::int64_t most() const { return most_; }  ///< n, or the bound on it
  [[nodiscard]] double log_slope() const { return log_slope_; }
  /// log p(n = to) / p(n = from), less what the families say. 0 where n is known.
  [[nodiscard]] double log_size_ratio(std::int64_t from, std::int64_t to) const;
  /// The cells that hold the numbers of records of the sets, where there are several.
  [[nodiscard]] const std::vector<std::size_t>& sets() const { return sets_; }

 private:
  NetworkTarget(const NetworkProblem& problem, const NetworkShape& shape, std::vector<Leaf> leaves);
  void add_tree();
  void add_family(std::uint32_t v, const NetworkShape& shape);
  void learn_family(std::uint32_t v, const Family& family, const std::vector<std::size_t>& row_places);
  void add_leaf(const Leaf& leaf, const NetworkShape& shape);
  void add_sets(const NetworkShape& shape);

  NetworkProblem problem_;
  graph::Variables core_;
  LatentTables tables_;
  NetworkSums sums_;
  CellPotentials potentials_;
  CellShifts learned_;
  std::vector<LearnedFamily> learned_families_;  ///< until they are row_priors_
  RowPriors row_priors_;
  std::vector<Family> families_;
  std::size_t shifts_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<std::vector<std::size_t>> leaf_rows_;
  std::vector<std::size_t> sets_;
  bool latent_ = false;
  std::int64_t most_ = 0;
  double log_slope_ = 0;
};

}  // namespace postern::infer
