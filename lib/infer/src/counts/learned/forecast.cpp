#include <algorithm>
#include <cmath>

#include "postern/infer/counts/learned_table.hpp"

namespace postern::infer {

double LearnedPosterior::forecast_bytes(const LearnedTable& table) {
  const double most = static_cast<double>(table.n.value_or(table.at_most));
  double variance = 0;  // of one cell, the widest
  for (const std::vector<NoisyValue>& values : table.noisy_values) {
    double precision = 0;
    for (const NoisyValue& value : values) precision += 1 / release::variance(value.law);
    variance = std::max(variance, precision > 0 ? 1 / precision : most * most);
  }
  double bytes = 0;
  double children = static_cast<double>(table.cells());
  for (std::size_t level = table.sizes.size(); level-- > 0;) {
    const double branches = table.sizes[level];
    const auto grid = static_cast<double>(concentrations(table.sizes[level], 1).size());
    // A row's tree holds its leaves, and as much again at every level but for what narrows.
    const double width = std::min(most + 1, 15 * std::sqrt(variance) + 20);
    bytes += 8 * grid * children * width * (1 + 0.7 * std::log2(branches + 1));
    children /= branches;
    variance *= branches;
  }
  return bytes;
}

}  // namespace postern::infer
