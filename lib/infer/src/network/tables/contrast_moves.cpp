#include "contrast_moves.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {
namespace {

constexpr std::size_t kWidthsPerCell = std::size_t{1} << 21;  ///< in all; beyond, one a contrast
constexpr double kShareOfTriples = 0.25;
constexpr std::size_t kLeastMoves = 8;

}  // namespace

ContrastMoves::ContrastMoves(const LatentTables& tables, const NetworkSums& sums, double records) {
  const graph::JunctionTree& tree = tables.tree();
  variables_ = tree.sizes().size();
  for (const std::uint32_t size : tree.sizes()) most_levels_ = std::max<std::size_t>(most_levels_, size);
  records_of_cliques_.reserve(tree.size());  // contrasts point into it
  for (std::size_t c = 0; c < tree.size(); ++c)
    records_of_cliques_.emplace_back(tables, c, tree.clique(c), graph::Variables{});
  for (std::size_t c = 0; c < tree.size(); ++c) add_subsets(tables, sums, c, records);
  std::size_t per_cell = 0;
  double lines = 0;
  for (const Contrast& contrast : contrasts_) {
    per_cell += contrast.base_cells();
    lines += contrast.lines() * (contrast.variables() > 2 ? kShareOfTriples : 1);
    below_.push_back(lines);
    changes_ = std::max(changes_, contrast.changes());
  }
  for (Contrast& contrast : contrasts_) {
    contrast.use_widths(widths_, per_cell <= kWidthsPerCell);
    widths_ += per_cell <= kWidthsPerCell ? contrast.base_cells() : 1;
  }
  if (!contrasts_.empty()) moves_ = std::max(kLeastMoves, static_cast<std::size_t>(std::ceil(lines)));
}

double ContrastMoves::bytes(const graph::Variables& clique, const graph::Sizes& sizes, std::size_t chains) {
  // Per cell: a potential with its terms and where it is, a count a chain, and of the margins as much again.
  const double cells = graph::cells_of(clique, sizes);
  const auto v = static_cast<double>(clique.size());
  const double subsets = v + v * (v - 1) / 2 + v * (v - 1) * (v - 2) / 6;
  const double widths = std::min(cells * subsets, static_cast<double>(kWidthsPerCell));
  return 2 * cells * (200 + 8 * static_cast<double>(chains)) + 8 * widths * static_cast<double>(chains);
}

void ContrastMoves::add_subsets(const LatentTables& tables, const NetworkSums& sums, std::size_t clique,
                                double records) {
  graph::Variables free;
  for (const std::uint32_t v : tables.tree().clique(clique)) {
    if (tables.tree().sizes()[v] > 1) free.push_back(v);
  }
  const auto add = [&](graph::Variables of) {
    contrasts_.emplace_back(tables, sums, std::move(of), clique, records_of_cliques_[clique], records);
  };
  for (std::size_t i = 0; i < free.size(); ++i) {
    add({free[i]});
    for (std::size_t j = i + 1; j < free.size(); ++j) {
      add({free[i], free[j]});
      for (std::size_t k = j + 1; k < free.size(); ++k) add({free[i], free[j], free[k]});
    }
  }
}

void ContrastMoves::prepare(TableState& state, double width) const {
  state.widths.assign(widths_, width);
  state.record.assign(variables_, 0);
  state.margins.assign(most_levels_, 0);
}

void ContrastMoves::sweep(const CellPotentials& potentials, TableState& state, CountLine& line,
                          Rng& rng) const {
  for (std::size_t i = 0; i < moves_; ++i) {
    const auto chosen = std::upper_bound(below_.begin(), below_.end(), rng.uniform() * below_.back());
    const auto at =
        std::min<std::size_t>(static_cast<std::size_t>(chosen - below_.begin()), below_.size() - 1);
    contrasts_[at].move(potentials, state, line, rng);
  }
}

}  // namespace postern::infer
