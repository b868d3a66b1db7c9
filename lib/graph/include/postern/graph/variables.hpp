#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace postern::graph {

/// Variables of a domain, by their index in it.
using Variables = std::vector<std::uint32_t>;
/// Numbers of levels: of every variable of a domain, indexed by the variable, unless said otherwise.
using Sizes = std::vector<std::uint32_t>;

/// A variable that was seen at a level.
struct Seen {
  std::uint32_t variable = 0;
  std::uint32_t level = 0;
  bool operator==(const Seen&) const = default;
};
using Evidence = std::vector<Seen>;

/// Cells of the table over `variables`, as a double: products of sizes overflow integers.
[[nodiscard]] double cells_of(std::span<const std::uint32_t> variables, std::span<const std::uint32_t> sizes);
[[nodiscard]] Variables sorted(Variables variables);  ///< increasing, each once
/// Whether increasing `all` holds each of increasing `some`.
[[nodiscard]] bool holds(std::span<const std::uint32_t> all, std::span<const std::uint32_t> some);
/// Every variable of the table has at least one level, and there are at most 2^32 - 2 variables.
/// Fails: bad_value, by the variable's number.
void check_sizes(std::span<const std::uint32_t> sizes);
/// Variables and levels are in range and no variable is seen twice. Fails: bad_value.
void check_evidence(const Evidence& evidence, std::span<const std::uint32_t> sizes);

}  // namespace postern::graph
