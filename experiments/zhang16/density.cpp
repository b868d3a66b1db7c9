#include "density.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace postern::zhang16 {
namespace {

/// All subsets of all families, as bits.
std::vector<unsigned> downward_closure(std::size_t variables, std::size_t order) {
  std::set<unsigned> out;
  for (std::size_t i = 0; i < variables; ++i) {
    const std::size_t first = i < order ? 0 : i - order;
    for (unsigned subset = 0; subset < 1U << (i - first + 1); ++subset) out.insert(subset << first);
  }
  return {out.begin(), out.end()};
}

/// Two records that differ in `d` move the coefficients that hold an odd number of its variables, each by 2.
std::size_t most_moved(const std::vector<unsigned>& closure, std::size_t variables) {
  std::size_t most = 0;
  for (unsigned d = 0; d < 1U << variables; ++d) {
    const auto odd = [d](unsigned gamma) { return __builtin_parity(gamma & d) != 0; };
    most = std::max(most, static_cast<std::size_t>(std::count_if(closure.begin(), closure.end(), odd)));
  }
  return most;
}

}  // namespace

ChainNoise chain_noise(std::size_t variables, std::size_t order) {
  const std::vector<unsigned> closure = downward_closure(variables, order);
  const double cell = std::sqrt(2.0) * std::exp2(-static_cast<double>(order + 1) / 2);
  return {closure.size(), std::sqrt(2.0) * 2 * static_cast<double>(variables),
          cell * 2 * static_cast<double>(closure.size()),
          cell * 2 * static_cast<double>(most_moved(closure, variables))};
}

}  // namespace postern::zhang16
