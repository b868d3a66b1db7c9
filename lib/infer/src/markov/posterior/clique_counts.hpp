#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/propagation.hpp"

#include "markov/posterior/binomial.hpp"
#include "network/tables/latent_tables.hpp"

namespace postern::infer::markov {

/// The tables of n independent records of a law, clique by clique down the junction tree: the records of each
/// row of a separator fall into the clique's cells by one binomial after the other.
class CliqueCounts {
 public:
  /// Both have the same junction tree, and must outlive this.
  CliqueCounts(const LatentTables& tables, const graph::Propagation& propagation);

  /// The probabilities of all cells that are drawn, of the workspace's law. @pre distributed
  [[nodiscard]] std::vector<double> probabilities(const graph::Propagation::Workspace& law) const;
  /// All tables of n records.
  void draw(std::int64_t n, std::span<const double> probabilities, std::span<std::int64_t> counts,
            Rng& rng) const;
  /// The same as a function of uniform numbers, one a cell that is drawn.
  void place(std::int64_t n, std::span<const double> probabilities, std::span<const Uniform> uniforms,
             std::span<std::int64_t> counts) const;
  /// Uniform numbers that lead to these counts.
  void draw_uniforms(std::span<const std::int64_t> counts, std::span<const double> probabilities,
                     std::span<Uniform> uniforms, Rng& rng) const;
  [[nodiscard]] std::size_t cells() const { return cells_; }  ///< that are drawn

 private:
  struct Clique {
    std::vector<std::size_t> places;  ///< of its cells, those of one row of the separator together
    std::size_t first = 0;            ///< of its cells among those of all cliques
    std::size_t rows = 1;
    std::size_t columns = 1;
    std::size_t parent = 0;      ///< where the parent's counts begin
    graph::Strided from_parent;  ///< over them: the row of each
    graph::Propagation::Margin margin;
  };
  void sum_rows(const Clique& clique, bool root, std::int64_t n, std::span<const std::int64_t> counts,
                std::vector<std::int64_t>& rows) const;
  /// For each binomial: clique, cell among all, records left, the share of these that it takes.
  template <class Visit>
  void visit_row(const Clique& clique, std::size_t row, std::span<const double> probabilities,
                 std::int64_t records, const Visit& visit) const;

  const LatentTables* tables_;
  const graph::Propagation* propagation_;
  std::vector<Clique> cliques_;
  std::size_t cells_ = 0;
};

}  // namespace postern::infer::markov
