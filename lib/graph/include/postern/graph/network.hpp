#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/dag.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// The conditional probability tables of a network, one a variable in their order: over its parents in their
/// order, then itself, row-major, so that a row (the levels of the variable given its parents) is contiguous.
using Tables = std::span<const std::span<const double>>;

/// Cells of the table of v.
[[nodiscard]] std::size_t table_cells(const Dag& dag, std::span<const std::uint32_t> sizes, std::uint32_t v);
/// Views of tables that lie one behind the other in the order of variables. @pre flat is as long as they are
/// together.
[[nodiscard]] std::vector<std::span<const double>> split_tables(const Dag& dag,
                                                                std::span<const std::uint32_t> sizes,
                                                                std::span<const double> flat);
[[nodiscard]] std::vector<std::span<const double>> as_tables(const std::vector<std::vector<double>>& tables);
/// Fails: bad_value if a table has not its number of cells, a probability is negative or no number, or a
/// row's sum is off 1 by more than `tolerance`.
void check_tables(const Dag& dag, std::span<const std::uint32_t> sizes, Tables tables,
                  double tolerance = 1e-6);

/// One record, parents before children, `state` has a place for each variable. @pre rows sum to 1, nearly.
void draw_record(const Dag& dag, std::span<const std::uint32_t> sizes, Tables tables,
                 std::span<std::uint32_t> state, Rng& rng);
/// log of the probability of a whole record; minus infinity if it is impossible.
[[nodiscard]] double log_probability(const Dag& dag, std::span<const std::uint32_t> sizes, Tables tables,
                                     std::span<const std::uint32_t> state);

}  // namespace postern::graph
