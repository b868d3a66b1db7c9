#pragma once

#include <string>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/study.hpp"

#include "small_studies.hpp"

namespace postern::model {

/// A network over columns x0, x1, ... with these numbers of levels and, for each, its parents.
inline Study network_study(const std::vector<std::uint32_t>& levels,
                           const std::vector<std::vector<std::size_t>>& parents,
                           Adjacency adjacency = Adjacency::replace_one, Currency currency = Currency::pure,
                           const Rational& alpha = Rational(1, 2)) {
  Study study = small_study({.adjacency = adjacency, .currency = currency});
  std::vector<Column> columns;
  BayesNet net;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    columns.push_back(plain_column("x" + std::to_string(i), levels[i]));
    BayesNode node{columns.back().name, {}, {}};
    std::size_t cells = levels[i];
    for (const std::size_t parent : parents[i]) {
      node.parents.push_back("x" + std::to_string(parent));
      cells *= levels[parent];
    }
    node.alpha.assign(cells, alpha);
    net.nodes.push_back(std::move(node));
  }
  study.schema = Schema(columns);
  study.model = std::move(net);
  return study;
}

/// A class x0 and `features` columns that depend on it, all with `levels` levels.
inline Study naive_study(std::size_t features, std::uint32_t levels,
                         Adjacency adjacency = Adjacency::replace_one, Currency currency = Currency::pure) {
  std::vector<std::vector<std::size_t>> parents(features + 1, {0});
  parents[0] = {};
  Study study = network_study(std::vector<std::uint32_t>(features + 1, levels), parents, adjacency, currency);
  BayesNet net = study.model.get<BayesNet>();
  net.class_column = "x0";
  study.model = std::move(net);
  return study;
}

/// A random network: up to `nodes` columns of 1 to `levels` levels, parents earlier or later in the order of
/// declaration, up to three of them.
inline Study random_network_study(std::size_t nodes, std::uint32_t levels, Adjacency adjacency,
                                  Currency currency, Rng& rng) {
  const std::size_t count = 1 + rng() % nodes;
  std::vector<std::size_t> order(count);
  std::vector<std::uint32_t> sizes;
  for (std::size_t i = 0; i < count; ++i) {
    order[i] = i;
    sizes.push_back(static_cast<std::uint32_t>(1 + rng() % levels));
  }
  sizes[rng() % count] = 2;  // something varies
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[rng() % i]);
  std::vector<std::vector<std::size_t>> parents(count);
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t j = 0; j < i && parents[order[i]].size() < 3; ++j) {
      if (rng() % 2 == 0) parents[order[i]].push_back(order[j]);
    }
  }
  return network_study(sizes, parents, adjacency, currency);
}

}  // namespace postern::model
