#include "markov/posterior/clique_counts.hpp"

#include <algorithm>
#include <iterator>

#include "postern/core/draw.hpp"

namespace postern::infer::markov {

CliqueCounts::CliqueCounts(const LatentTables& tables, const graph::Propagation& propagation)
    : tables_(&tables), propagation_(&propagation) {
  const graph::JunctionTree& tree = tables.tree();
  for (std::size_t c = 0; c < tree.size(); ++c) {
    graph::Variables variables = tree.separator(c);
    std::set_difference(tree.clique(c).begin(), tree.clique(c).end(), tree.separator(c).begin(),
                        tree.separator(c).end(), std::back_inserter(variables));
    Clique clique;
    clique.places = tables.places(variables);
    clique.first = cells_;
    clique.columns = clique.places.size();
    clique.margin = propagation.margin(variables);
    if (c > 0) {
      clique.parent = tables.clique(tree.parent(c)).offset;
      clique.rows = tables.separator(c).cells;
      clique.columns /= clique.rows;
      clique.from_parent = graph::Strided(tree.clique(tree.parent(c)), tree.separator(c), tree.sizes());
    }
    cells_ += clique.places.size();
    cliques_.push_back(std::move(clique));
  }
}

std::vector<double> CliqueCounts::probabilities(const graph::Propagation::Workspace& law) const {
  std::vector<double> out(cells_);
  for (const Clique& clique : cliques_)
    propagation_->read(clique.margin, law, std::span(out).subspan(clique.first, clique.places.size()));
  return out;
}

void CliqueCounts::sum_rows(const Clique& clique, bool root, std::int64_t n,
                            std::span<const std::int64_t> counts, std::vector<std::int64_t>& rows) const {
  rows.assign(clique.rows, root ? n : 0);
  if (root) return;
  clique.from_parent.walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
    for (std::size_t i = 0; i < count; ++i) rows[other + i * step] += counts[clique.parent + first + i];
  });
}

template <class Visit>
void CliqueCounts::visit_row(const Clique& clique, std::size_t row, std::span<const double> probabilities,
                             std::int64_t records, const Visit& visit) const {
  const std::size_t first = row * clique.columns;
  double left = 0;
  for (std::size_t k = 0; k < clique.columns; ++k) left += probabilities[clique.first + first + k];
  for (std::size_t k = 0; k < clique.columns; ++k) {
    const double p = probabilities[clique.first + first + k];
    const double share = k + 1 == clique.columns ? 1.0 : left > 0 ? std::min(p / left, 1.0) : 0.0;
    records -= visit(clique.places[first + k], clique.first + first + k, records, share);
    left = std::max(left - p, 0.0);
  }
}

void CliqueCounts::draw(std::int64_t n, std::span<const double> probabilities, std::span<std::int64_t> counts,
                        Rng& rng) const {
  std::vector<std::int64_t> rows;
  for (const Clique& clique : cliques_) {
    sum_rows(clique, &clique == cliques_.data(), n, counts, rows);
    for (std::size_t row = 0; row < clique.rows; ++row) {
      visit_row(clique, row, probabilities, rows[row],
                [&](std::size_t place, std::size_t, std::int64_t records, double share) {
                  return counts[place] = share >= 1 ? records : draw_binomial(records, share, rng);
                });
    }
  }
  tables_->sum_cliques(counts);
}

void CliqueCounts::place(std::int64_t n, std::span<const double> probabilities,
                         std::span<const Uniform> uniforms, std::span<std::int64_t> counts) const {
  std::vector<std::int64_t> rows;
  for (const Clique& clique : cliques_) {
    sum_rows(clique, &clique == cliques_.data(), n, counts, rows);
    for (std::size_t row = 0; row < clique.rows; ++row) {
      visit_row(clique, row, probabilities, rows[row],
                [&](std::size_t place, std::size_t cell, std::int64_t records, double share) {
                  return counts[place] = binomial_quantile(records, share, uniforms[cell]);
                });
    }
  }
  tables_->sum_cliques(counts);
}

void CliqueCounts::draw_uniforms(std::span<const std::int64_t> counts, std::span<const double> probabilities,
                                 std::span<Uniform> uniforms, Rng& rng) const {
  std::vector<std::int64_t> rows;
  for (const Clique& clique : cliques_) {
    sum_rows(clique, &clique == cliques_.data(), counts[tables_->total()], counts, rows);
    for (std::size_t row = 0; row < clique.rows; ++row) {
      visit_row(clique, row, probabilities, rows[row],
                [&](std::size_t place, std::size_t cell, std::int64_t records, double share) {
                  uniforms[cell] = draw_uniform_given(counts[place], records, share, rng);
                  return counts[place];
                });
    }
  }
}

}  // namespace postern::infer::markov
