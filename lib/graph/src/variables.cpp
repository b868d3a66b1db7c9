#include "postern/graph/variables.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

namespace postern::graph {

double cells_of(std::span<const std::uint32_t> variables, std::span<const std::uint32_t> sizes) {
  double cells = 1;
  for (const std::uint32_t v : variables) cells *= sizes[v];
  return cells;
}

Variables sorted(Variables variables) {
  std::ranges::sort(variables);
  const auto rest = std::ranges::unique(variables);
  variables.erase(rest.begin(), rest.end());
  return variables;
}

bool holds(std::span<const std::uint32_t> all, std::span<const std::uint32_t> some) {
  return std::ranges::includes(all, some);
}

void check_sizes(std::span<const std::uint32_t> sizes) {
  for (std::size_t v = 0; v < sizes.size(); ++v) {
    if (sizes[v] == 0) {
      throw Error(ErrorCode::bad_value, {"variable ", public_number(static_cast<long long>(v)),
                                         " has no levels; it needs one or more"});
    }
  }
}

void check_evidence(const Evidence& evidence, std::span<const std::uint32_t> sizes) {
  std::vector<bool> seen(sizes.size());
  for (const Seen& one : evidence) {
    if (one.variable >= sizes.size()) {
      throw Error(ErrorCode::bad_value,
                  {"evidence names variable ", public_number(one.variable), " of a network that has ",
                   public_number(static_cast<long long>(sizes.size()))});
    }
    if (one.level >= sizes[one.variable]) {
      throw Error(ErrorCode::bad_value, {"evidence puts variable ", public_number(one.variable), " at level ",
                                         public_number(one.level), "; its levels are 0 to ",
                                         public_number(static_cast<long long>(sizes[one.variable]) - 1)});
    }
    if (seen[one.variable]) {
      throw Error(ErrorCode::bad_value,
                  {"evidence names variable ", public_number(one.variable), " twice; give it one level"});
    }
    seen[one.variable] = true;
  }
}

}  // namespace postern::graph
