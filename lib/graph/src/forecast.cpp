#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/error.hpp"
#include "postern/graph/elimination.hpp"

namespace postern::graph {
namespace {

std::string in_words(const Variables& clique, std::span<const std::uint32_t> sizes,
                     std::span<const std::string> names) {
  constexpr std::size_t shown = 12;
  std::string text;
  for (std::size_t i = 0; i < clique.size() && i < shown; ++i) {
    if (i > 0) text += " x ";
    text += clique[i] < names.size() ? names[clique[i]] : "variable " + std::to_string(clique[i]);
    text += " (" + std::to_string(sizes[clique[i]]) + ")";
  }
  if (clique.size() > shown) text += " x " + std::to_string(clique.size() - shown) + " more";
  return text;
}

std::string megabytes(double bytes) {
  const double mega = std::ceil(bytes / 1e6);
  if (mega < 1e15) return std::to_string(static_cast<long long>(mega)) + " MB";
  return "more than 10^21 bytes";
}

}  // namespace

Forecast forecast(const Elimination& elimination, std::span<const std::uint32_t> sizes) {
  constexpr double bytes_a_cell = 2 * sizeof(double);
  constexpr std::size_t named = 3;
  std::vector<std::size_t> by_size(elimination.cliques.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::stable_sort(by_size, std::greater<>{},
                           [&](std::size_t c) { return cells_of(elimination.cliques[c], sizes); });
  Forecast out{elimination.cells, bytes_a_cell * elimination.cells, {}};
  for (std::size_t i = 0; i < by_size.size() && i < named; ++i)
    out.largest.push_back(elimination.cliques[by_size[i]]);
  return out;
}

void check_forecast(const Forecast& what, double most, std::span<const std::uint32_t> sizes,
                    std::span<const std::string> names) {
  if (what.bytes <= most) return;
  std::string largest;
  for (const Variables& clique : what.largest) {
    largest += largest.empty() ? "" : "; ";
    largest += in_words(clique, sizes, names);
  }
  throw Error(ErrorCode::engine_limit,
              {"exact propagation on this network needs ", quote(megabytes(what.bytes), 40), ", and may use ",
               quote(megabytes(most), 40), "; its largest tables are ", quote(largest, 2000),
               ": take away edges or levels of these, or ask for less at once"});
}

}  // namespace postern::graph
