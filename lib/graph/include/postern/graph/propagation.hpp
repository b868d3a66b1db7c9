#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/junction_tree.hpp"
#include "postern/graph/strided.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// How many records are drawn at once.
enum class Sampling {
  independent,
  /// Clique by clique, among the records that share a separator's levels, every cell has its expected number
  /// of records, rounded up or down: tables of the records vary less than those of independent ones, and have
  /// the same mean. For one synthetic data set, not for inference.
  rounded
};

/// Exact inference in a product of factors on a junction tree. Compiled once from the scopes of the factors;
/// their values may change with every run, and a run without evidence allocates nothing. Immutable; what
/// changes is in a Workspace, one a thread.
///
/// The factors are one flat array of logarithms, factor after factor, each row-major over its scope. Minus
/// infinity is legal. One exponential a cell: each clique becomes p(residual | separator) on the way up, so
/// that no message is ever divided by.
class Propagation {
 public:
  /// What one thread works on.
  struct Workspace {
    /// Logarithms; after going up, p(residual | separator), row by row; after going down, p(clique).
    std::vector<double> cells;
    std::vector<double> messages;   ///< separator by separator
    std::vector<std::size_t> best;  ///< column of each row, after maximising
  };

  /// Fails: internal if a factor has no home in the tree.
  Propagation(JunctionTree tree, const std::vector<Variables>& scopes);
  [[nodiscard]] const JunctionTree& tree() const { return tree_; }
  [[nodiscard]] std::size_t factors() const { return factors_.size(); }
  /// Where the factor's cells begin in the flat array; of one past the last, how long the array is.
  [[nodiscard]] std::size_t offset(std::size_t factor) const { return offsets_[factor]; }
  [[nodiscard]] std::size_t dimension() const { return offsets_.back(); }
  [[nodiscard]] Workspace workspace() const;

  /// From the leaves to the root. Returns the logarithm of the sum of all weights that agree with the
  /// evidence: minus infinity if nothing does, and then nothing else may be asked of the workspace.
  double collect(std::span<const double> logs, const Evidence& evidence, Workspace& work) const;
  /// From the root to the leaves: beliefs of every clique. @pre collect returned a finite number.
  void distribute(Workspace& work) const;
  /// The same for some cliques. @pre the parent of a wanted clique is wanted.
  void distribute(Workspace& work, const std::vector<bool>& wanted) const;
  /// Where to read the joint probabilities of variables that share a clique.
  struct Margin {
    std::size_t clique = 0;
    Strided cells;  ///< over the clique's cells: the margin's cell, row-major in the order asked for
  };
  /// Fails: internal if no clique holds them all.
  [[nodiscard]] Margin margin(std::span<const std::uint32_t> variables) const;
  /// @pre distribute (collect alone, if the margin's clique is the root); out has a place for each cell.
  void read(const Margin& margin, const Workspace& work, std::span<double> out) const;
  /// Both at once. @pre distribute.
  [[nodiscard]] std::vector<double> marginal(std::span<const std::uint32_t> variables,
                                             const Workspace& work) const;
  /// The joint probabilities of each factor's scope, laid out as the factors are. @pre distribute.
  void read_factors(const Workspace& work, std::span<double> out) const;

  /// What a derivative works on, one a thread.
  struct Tangent {
    std::vector<double> cells;
    std::vector<double> messages;  ///< up
    std::vector<double> shift;     ///< down
  };
  [[nodiscard]] Tangent tangent() const;
  /// How what read_factors gives changes as the logarithms move along `direction`: the covariance matrix of
  /// the factors' cells times it. No exponential is taken. @pre distribute; direction is finite.
  void derive(std::span<const double> direction, const Workspace& work, Tangent& tangent,
              std::span<double> out) const;
  /// A state of the greatest weight, and the logarithm of that weight; minus infinity if no state agrees with
  /// the evidence, and then no state is written. Ties go to the first in the order of cells.
  /// @pre state has a place for every variable of the domain; those in no clique are left alone.
  double maximise(std::span<const double> logs, const Evidence& evidence, Workspace& work,
                  std::span<std::uint32_t> state) const;
  /// An independent draw from the normalised product. @pre collect returned a finite number; distribute may
  /// have followed.
  void draw(const Workspace& work, std::span<std::uint32_t> state, Rng& rng) const;
  /// Many records, a column for each variable of the domain, in a random order. @pre as of draw; count is
  /// below 2^32.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> draw_records(const Workspace& work, std::size_t count,
                                                                     Sampling sampling, Rng& rng) const;

 private:
  struct Clique {
    std::size_t offset = 0;   ///< of its cells
    std::size_t rows = 1;     ///< cells of its separator
    std::size_t columns = 1;  ///< cells of its residual
    std::size_t message = 0;  ///< where its message begins
    Variables variables;      ///< those of the separator, then the residual: rows are contiguous
    Strided to_parent;        ///< over the parent's cells: the row of ours that each belongs to
  };
  struct Load {
    std::size_t clique = 0;
    Strided cells;  ///< over the clique's cells: the factor's cell
  };

  void load(std::span<const double> logs, std::span<double> cells) const;
  void load(std::span<const double> logs, const Evidence& evidence, Workspace& work) const;
  void read_factors_from(std::span<const double> cells, std::span<double> out) const;
  void normalise_rows(std::size_t c, Workspace& work) const;
  void maximise_rows(std::size_t c, Workspace& work) const;
  void add_to_parent(std::size_t c, std::span<const double> messages, std::span<double> cells) const;
  void sum_from_parent(std::size_t c, std::span<const double> cells, std::span<double> messages) const;
  void descend(std::size_t c, Workspace& work) const;
  void draw_columns(std::size_t c, const Workspace& work, Sampling sampling,
                    std::vector<std::vector<std::uint32_t>>& columns, Rng& rng) const;
  [[nodiscard]] std::size_t row_of(std::size_t c, std::span<const std::uint32_t> state) const;
  void write_column(std::size_t c, std::size_t column, std::span<std::uint32_t> state) const;

  JunctionTree tree_;
  std::vector<Clique> cliques_;
  std::vector<Load> factors_;
  std::vector<std::size_t> offsets_;
  std::size_t cells_ = 0;
  std::size_t messages_ = 0;
};

}  // namespace postern::graph
