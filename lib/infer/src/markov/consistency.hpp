#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "postern/graph/log_linear.hpp"
#include "postern/graph/strided.hpp"

namespace postern::infer::markov {

/// The orthogonal projection of tables, one a clique of a model, on those that agree on what they share. A
/// table is the sum of its effects, one a subset of its variables (analysis of variance); an effect that
/// several tables have is averaged over them. Orthogonal where all cells of a table weigh the same.
class Consistency {
 public:
  /// `variances`: of the cells of each clique's table.
  Consistency(const graph::LogLinear& model, std::vector<double> variances);
  /// In place; with a total, all tables add up to it.
  void project(std::span<double> cells, std::optional<double> total) const;

 private:
  struct Effect {
    graph::Variables variables;  ///< increasing
    std::size_t cells = 1;
    std::size_t offset = 0;
  };
  /// An effect as one clique has it.
  struct Part {
    std::size_t effect = 0;
    double spread = 1;                 ///< cells of the clique for each of the effect
    graph::Strided cells;              ///< over the clique's cells: the effect's cell
    std::vector<std::size_t> within;   ///< parts of the same clique whose variables are fewer
    std::vector<graph::Strided> from;  ///< over this effect's cells: those of each of `within`
  };

  [[nodiscard]] std::size_t find_effect(const graph::Variables& variables);
  void add_clique(std::size_t f);

  const graph::LogLinear& model_;
  std::vector<double> variances_;
  std::vector<Effect> effects_;
  std::vector<std::vector<Part>> parts_;  ///< of each clique, smaller effects first
  std::size_t size_ = 0;                  ///< of all effects
};

}  // namespace postern::infer::markov
