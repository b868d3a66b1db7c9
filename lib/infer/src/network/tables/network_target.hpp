#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "postern/infer/network/problem.hpp"

#include "cell_potentials.hpp"
#include "latent_tables.hpp"
#include "leaf_row.hpp"

namespace postern::infer {

/// The posterior of the tables of a network's latent data set, parameters and leaves integrated out (a leaf:
/// a variable without children), as tables_chain.md has it. Variables that are no leaves are the core, and
/// are numbered anew in their order; everything about tables is in those numbers.
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
  };
  struct Leaf {
    std::size_t variable = 0;             ///< in the problem's numbers
    std::vector<std::size_t> row_places;  ///< cells of the parents' table, in the problem's order
    std::vector<LeafRow> rows;
  };

  /// Fails: bad_value; engine_limit if the tables do not fit `most_bytes`, with the largest cliques by
  /// `names`.
  NetworkTarget(const NetworkProblem& problem, double most_bytes, std::span<const std::string> names);

  [[nodiscard]] const NetworkProblem& problem() const { return problem_; }
  [[nodiscard]] const LatentTables& tables() const { return tables_; }
  [[nodiscard]] const CellPotentials& potentials() const { return potentials_; }
  /// Parents before children.
  [[nodiscard]] const std::vector<Family>& families() const { return families_; }
  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  /// The variable of the problem with this number of the core.
  [[nodiscard]] std::uint32_t original(std::uint32_t core) const { return core_[core]; }
  [[nodiscard]] bool latent() const { return latent_; }
  [[nodiscard]] std::int64_t most() const { return most_; }  ///< n, or the bound on it
  [[nodiscard]] double log_slope() const { return log_slope_; }

 private:
  struct Shape {
    graph::Variables core;                 ///< variables of the problem
    std::vector<std::uint32_t> numbers;    ///< in the core, by variable of the problem
    std::vector<graph::Variables> scopes;  ///< increasing, in numbers of the core
    graph::Variables order;                ///< of the core, parents first, in the problem's numbers
  };
  NetworkTarget(const NetworkProblem& problem, Shape shape, double most_bytes,
                std::span<const std::string> names);
  [[nodiscard]] static Shape shape_of(const NetworkProblem& problem);
  [[nodiscard]] static graph::JunctionTree checked_tree(const NetworkProblem& problem, const Shape& shape,
                                                        double most_bytes,
                                                        std::span<const std::string> names);
  void add_tree();
  void add_family(std::uint32_t v, const Shape& shape);
  void add_leaf(std::uint32_t v, const Shape& shape);

  NetworkProblem problem_;
  graph::Variables core_;
  LatentTables tables_;
  CellPotentials potentials_;
  std::vector<Family> families_;
  std::vector<Leaf> leaves_;
  bool latent_ = false;
  std::int64_t most_ = 0;
  double log_slope_ = 0;
};

}  // namespace postern::infer
