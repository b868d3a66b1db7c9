#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/study.hpp"

#include "small_studies.hpp"

namespace postern::model {

/// A Markov network over columns x0, x1, ... with these numbers of levels.
inline Study markov_study(const std::vector<std::uint32_t>& levels,
                          const std::vector<graph::Variables>& cliques,
                          Adjacency adjacency = Adjacency::replace_one, Currency currency = Currency::pure,
                          const Rational& alpha = Rational(1, 2)) {
  Study study = small_study({.adjacency = adjacency, .currency = currency});
  std::vector<Column> columns;
  MarkovNet net;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    columns.push_back(plain_column("x" + std::to_string(i), levels[i]));
    net.columns.push_back(columns.back().name);
  }
  net.levels = levels;
  net.cliques = cliques;
  net.alpha = alpha;
  study.schema = Schema(columns);
  study.model = std::move(net);
  return study;
}

/// A random network: up to `nodes` columns of 1 to `levels` levels, random cliques of up to three, every
/// column in one; cliques within others among them.
inline Study random_markov_study(std::size_t nodes, std::uint32_t levels, Adjacency adjacency,
                                 Currency currency, Rng& rng) {
  const std::size_t count = 1 + rng() % nodes;
  std::vector<std::uint32_t> sizes;
  for (std::size_t i = 0; i < count; ++i) sizes.push_back(static_cast<std::uint32_t>(1 + rng() % levels));
  sizes[rng() % count] = 2;  // something varies
  std::vector<graph::Variables> cliques;
  for (std::uint32_t v = 0; v < count; ++v) {
    graph::Variables clique{v};
    for (int more = 0; more < 2; ++more) clique.push_back(static_cast<std::uint32_t>(rng() % count));
    cliques.push_back(graph::sorted(clique));
  }
  std::sort(cliques.begin(), cliques.end());
  cliques.erase(std::unique(cliques.begin(), cliques.end()), cliques.end());
  return markov_study(sizes, cliques, adjacency, currency);
}

}  // namespace postern::model
