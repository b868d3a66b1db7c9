#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/graph/undirected.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// Which variable a greedy elimination takes next: the one whose elimination adds the fewest edges, the least
/// weight of edges (products of sizes), makes the smallest table, or has the fewest neighbours. Ties: the
/// smaller table, then the lesser variable.
enum class Greedy { min_fill, min_weighted_fill, min_cells, min_degree };
inline constexpr std::array kGreedy{Greedy::min_fill, Greedy::min_weighted_fill, Greedy::min_cells,
                                    Greedy::min_degree};
[[nodiscard]] std::string_view greedy_name(Greedy greedy);  // "min-fill"

/// An order of elimination and the maximal cliques that it leads to, before any table is allocated.
struct Elimination {
  Variables order;
  std::vector<Variables> cliques;                 ///< increasing variables each; no clique within another
  std::vector<std::array<std::size_t, 2>> links;  ///< of cliques: a junction tree for each connected part
  double cells = 0;                               ///< of all cliques together
};

[[nodiscard]] Elimination eliminate(const UndirectedGraph& graph, std::span<const std::uint32_t> sizes,
                                    Greedy greedy);
/// The cheapest, in cells, of all greedy ones and, where tables are large, of min-fill with ties broken
/// in twenty other ways. The same graph and sizes give the same order everywhere.
[[nodiscard]] Elimination cheapest_elimination(const UndirectedGraph& graph,
                                               std::span<const std::uint32_t> sizes);

/// What a propagation over the cliques will hold.
struct Forecast {
  double cells = 0;
  double bytes = 0;                ///< two doubles a cell, for the cells and for messages
  std::vector<Variables> largest;  ///< at most three cliques, the largest first
};

[[nodiscard]] Forecast forecast(const Elimination& elimination, std::span<const std::uint32_t> sizes);

inline constexpr double kPropagationBytes =
    2e9;  ///< what a propagation may hold unless the caller says otherwise

/// Fails: engine_limit, with the bytes needed and the largest cliques by name and size, if `what` needs
/// more than `most` bytes.
void check_forecast(const Forecast& what, double most, std::span<const std::uint32_t> sizes,
                    std::span<const std::string> names = {});

}  // namespace postern::graph
