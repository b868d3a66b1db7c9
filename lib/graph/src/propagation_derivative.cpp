#include <algorithm>

#include "postern/graph/propagation.hpp"

#include "table_kernels.hpp"

namespace postern::graph {

void Propagation::read_factors_from(std::span<const double> cells, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    table_kernels().sum(walk_of(factors_[f].cells), cells.data() + cliques_[factors_[f].clique].offset,
                        out.data() + offsets_[f]);
  }
}

void Propagation::read_factors(const Workspace& work, std::span<double> out) const {
  read_factors_from(work.cells, out);
}

Propagation::Tangent Propagation::tangent() const {
  return {std::vector<double>(cells_), std::vector<double>(messages_), std::vector<double>(messages_)};
}

// With D the direction in a clique's cells, B its beliefs and S those of its separator, so that B / S is
// p(residual | separator): on the way up d = sum of B D / S over the residual is added to the parent's D; on
// the way down B changes by B (D - d + dS / S), where dS is what the parent's change sums to. Where S is zero
// so is B, and nothing changes.
void Propagation::derive(std::span<const double> direction, const Workspace& work, Tangent& tangent,
                         std::span<double> out) const {
  const TableKernels& kernels = table_kernels();
  load(direction, tangent.cells);
  for (std::size_t c = tree_.size(); c-- > 1;) {
    const Clique& clique = cliques_[c];
    kernels.row_means(work.cells.data() + clique.offset, tangent.cells.data() + clique.offset, clique.rows,
                      clique.columns, work.messages.data() + clique.message,
                      tangent.messages.data() + clique.message);
    add_to_parent(c, tangent.messages, tangent.cells);
  }
  const double one = 1;
  kernels.row_means(work.cells.data(), tangent.cells.data(), 1, cliques_[0].columns, &one,
                    tangent.messages.data());
  tangent.messages[0] = -tangent.messages[0];
  kernels.weigh_rows(work.cells.data(), tangent.cells.data(), 1, cliques_[0].columns,
                     tangent.messages.data());
  std::vector<double>& shift = tangent.shift;
  for (std::size_t c = 1; c < tree_.size(); ++c) {
    const Clique& clique = cliques_[c];
    sum_from_parent(c, tangent.cells, shift);
    for (std::size_t r = clique.message; r < clique.message + clique.rows; ++r)
      shift[r] = work.messages[r] > 0 ? shift[r] / work.messages[r] - tangent.messages[r] : 0;
    kernels.weigh_rows(work.cells.data() + clique.offset, tangent.cells.data() + clique.offset, clique.rows,
                       clique.columns, shift.data() + clique.message);
  }
  read_factors_from(tangent.cells, out);
}

}  // namespace postern::graph
