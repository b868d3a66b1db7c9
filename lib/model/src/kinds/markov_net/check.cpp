#include "kinds/markov_net/check.hpp"

#include <algorithm>
#include <set>

#include "postern/graph/elimination.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/network_tables.hpp"

namespace postern::model {
namespace {

Quotation number(std::size_t value) { return public_number(static_cast<long long>(value)); }

StudyPlace cliques_place() { return {{"model", "cliques"}}; }

void check_cliques(const MarkovNet& net) {
  if (net.cliques.empty() || net.cliques.size() > kMostNodes) {
    throw StudyError(cliques_place(), ErrorCode::bad_value,
                     {"a Markov network has between 1 and ", number(kMostNodes),
                      " cliques, and this one has ", number(net.cliques.size())});
  }
  std::set<graph::Variables> seen;
  std::vector<bool> held(net.columns.size(), false);
  for (std::size_t i = 0; i < net.cliques.size(); ++i) {
    const graph::Variables& clique = net.cliques[i];
    const StudyPlace place{{"model", "cliques"}, i};
    if (clique.empty() || clique.size() > kMostInTable) {
      throw StudyError(place, ErrorCode::bad_value,
                       {"a clique is of 1 to ", number(kMostInTable), " columns, and this one of ",
                        number(clique.size())});
    }
    if (!seen.insert(clique).second) {
      throw StudyError(place, ErrorCode::bad_value,
                       {"the clique of ", quote(joined(clique_columns(net, clique), ", "), 300),
                        " is there twice; leave one out, and give the other a larger share"});
    }
    for (const std::uint32_t v : clique) held.at(v) = true;
  }
  const auto lonely = std::find(held.begin(), held.end(), false);
  if (lonely == held.end()) return;
  const std::string& name = net.columns[static_cast<std::size_t>(lonely - held.begin())];
  throw StudyError(cliques_place(), ErrorCode::bad_value,
                   {"the column '", from_study(name), "' is in no clique; add [\"", from_study(name),
                    "\"] to count it by itself, or leave it out of `columns`"});
}

/// One table each, all of them together, and what an exact answer would hold.
void check_sizes(const MarkovNet& net, const Schema& schema) {
  std::size_t cells = 0;
  std::size_t largest = 0;
  std::vector<std::vector<std::string>> tables;
  for (const graph::Variables& clique : net.cliques) tables.push_back(clique_columns(net, clique));
  for (const std::vector<std::string>& table : tables) {
    const std::size_t own = table_size(table, schema).cells;
    largest = std::max(largest, own);
    cells = std::min(cells + std::min(own, kMaxCells + 1), kMaxCells * kMostNodes);
  }
  if (cells > kMaxCells) {
    throw StudyError(
        cliques_place(), ErrorCode::bad_value,
        {"the tables of the cliques have more than ", number(kMaxCells),
         " cells together, which is the most; the largest are ", quote(largest_tables(tables, schema), 300),
         "; take smaller cliques, or cut columns coarser"});
  }
  if (largest < 2) {
    throw StudyError({{"model"}}, ErrorCode::bad_value,
                     {"every column of the network has one level only: nothing can be learnt"});
  }
  at_place(cliques_place(), [&] {
    const graph::Forecast tree =
        graph::forecast(graph::cheapest_elimination(graph_of(net), net.levels), net.levels);
    graph::check_forecast(tree, 2 * sizeof(double) * static_cast<double>(kMostTreeCells), net.levels,
                          net.columns);
  });
}

/// Any of the pairs may be measured, and the tables of all are held while one is chosen.
void check_candidates(const MarkovNet& net, const Schema& schema) {
  constexpr double kMostHeld = 1 << 26;
  const StudyPlace place{{"model", "columns"}};
  if (net.columns.size() < 2)
    throw StudyError(place, ErrorCode::bad_value,
                     {"a tree is chosen among two or more columns; name them here, or leave [model] out to "
                      "choose among all"});
  double held = 0;
  double largest = 0;
  std::vector<std::vector<std::string>> pairs;
  for (std::uint32_t a = 0; a < net.columns.size(); ++a) {
    for (std::uint32_t b = a + 1; b < net.columns.size(); ++b) {
      pairs.push_back({net.columns[a], net.columns[b]});
      const double cells = static_cast<double>(net.levels[a]) * net.levels[b];
      held += cells;
      largest = std::max(largest, cells);
    }
  }
  if (largest < 2)
    throw StudyError({{"model"}}, ErrorCode::bad_value,
                     {"every column of the network has one level only: nothing can be learnt"});
  if (published_numbers(net) > kMostPublished) {
    throw StudyError(
        place, ErrorCode::bad_value,
        {"a selection among ", number(net.columns.size()),
         " columns would publish more numbers than a release can hold: its choices name all pairs "
         "that are left, and an adaptive one what a model expects of each; leave columns out, or "
         "cut them coarser"});
  }
  if (held <= kMostHeld &&
      largest * static_cast<double>(net.columns.size()) <= static_cast<double>(kMaxCells))
    return;
  throw StudyError(place, ErrorCode::bad_value,
                   {"the tables of pairs of these columns are too large to choose among; the largest are ",
                    quote(largest_tables(pairs, schema), 300), "; cut columns coarser, or leave some out"});
}

void check_prior(const MarkovNet& net) {
  at_place({{"model", "prior"}}, [&] {
    check_prior_parameter(net.potential_sd.value_or(net.alpha));
    if (net.potential_sd && *net.potential_sd > 100)
      throw Error(ErrorCode::bad_prior,
                  {"the deviation of potentials, which are logarithms, is at most 100"});
  });
}

}  // namespace

void check_markov_net(const MarkovNet& net, const Schema& schema) {
  if (net.select != Selection::none) {
    check_network_columns(net.columns, schema);
    check_candidates(net, schema);
    return check_prior(net);
  }
  check_cliques(net);
  check_network_columns(net.columns, schema);
  for (std::size_t v = 0; v < net.columns.size(); ++v) {
    if (v >= net.levels.size() || schema.at(net.columns[v]).levels() != net.levels[v])
      throw Error(ErrorCode::internal, {"a Markov network has other levels than its study"});
  }
  check_sizes(net, schema);
  check_prior(net);
}

}  // namespace postern::model
