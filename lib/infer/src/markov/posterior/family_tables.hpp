#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/graph/log_linear.hpp"
#include "postern/infer/markov/posterior.hpp"

namespace postern::infer::markov {

/// P(last | the others) of families, and margins, under laws of a model: what MarkovReport says is reported.
class FamilyTables {
 public:
  using Workspace = graph::Propagation::Workspace;
  FamilyTables(const graph::LogLinear& model, const MarkovReport& report);
  [[nodiscard]] std::size_t cells() const { return cells_; }  ///< of all families
  [[nodiscard]] Workspace workspace() const { return propagation_.workspace(); }
  /// One family behind the other, row-major. A row that cannot be is even.
  void read(std::span<const double> theta, Workspace& work, std::span<double> out) const;

 private:
  struct Family {
    graph::Propagation::Margin margin;
    std::size_t cells = 1;
    std::size_t levels = 1;  ///< of the last variable; all cells of a margin
  };

  graph::Propagation propagation_;
  std::vector<Family> families_;
  std::size_t cells_ = 0;
};

}  // namespace postern::infer::markov
