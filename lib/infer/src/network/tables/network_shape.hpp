#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "postern/graph/elimination.hpp"
#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// Which variables of a network become tables, and over which cliques. Those that are not integrated out are
/// the core, and are numbered anew in their order.
struct NetworkShape {
  static constexpr std::uint32_t kNoCore = ~std::uint32_t{0};

  graph::Variables core;               ///< variables of the problem
  std::vector<std::uint32_t> numbers;  ///< in the core, by variable of the problem, or kNoCore
  graph::Variables order;              ///< of the core, parents first, in the problem's numbers
  std::vector<graph::Variables>
      scopes;          ///< of all tables that are needed: increasing, in numbers of the core
  graph::Sizes sizes;  ///< of the core
  graph::Elimination elimination;

  /// `integrated`: variables without children that are summed out. Fails: bad_value for a cycle.
  NetworkShape(const NetworkProblem& problem, const std::vector<bool>& integrated);
  /// In the core's numbers.
  [[nodiscard]] graph::Variables in_core(std::span<const std::uint32_t> variables) const;
};

/// Variables without children whose messages are small enough. Fails: bad_value.
[[nodiscard]] std::vector<bool> integrable(const NetworkProblem& problem);

/// What chains on the tables would hold.
[[nodiscard]] graph::Forecast forecast_shape(const NetworkShape& shape, std::size_t chains);
/// Fails: engine_limit, with the largest cliques by `names` of the problem's variables.
void check_shape(const NetworkShape& shape, std::size_t chains, std::span<const std::string> names);

[[nodiscard]] inline std::span<const std::uint32_t> parents_of(const NetworkFamily& family) {
  return std::span(family.variables).first(family.variables.size() - 1);
}

}  // namespace postern::infer
