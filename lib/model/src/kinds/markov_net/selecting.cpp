#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_selection.hpp"

#include "kinds/network_tables.hpp"

namespace postern::model {
namespace {

MarkovNet of_columns(const std::vector<std::string>& columns, const Schema& schema) {
  MarkovNet net;
  net.columns = as_declared(columns, schema);
  for (const std::string& name : net.columns) net.levels.push_back(schema.at(name).levels());
  return net;
}

MarkovNet chosen_by(MarkovNet net, Selection select) {
  const bool adaptive = select == Selection::adaptive;
  if (!adaptive || net.select != Selection::adaptive) {
    net.more_pairs = adaptive ? usual_pairs(net) : 0;
    net.most_cells = adaptive ? static_cast<std::size_t>(kUsualCells) : 0;
  }
  net.cliques.clear();
  net.select = select;
  return net;
}

/// Cells of the tree that has most of them: every column joined to the one of most levels.
double heaviest_tree(const MarkovNet& net) {
  graph::Variables order(net.levels.size());
  for (std::uint32_t v = 0; v < order.size(); ++v) order[v] = v;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return net.levels[a] > net.levels[b]; });
  double cells = 0;
  for (std::size_t i = 1; i < order.size(); ++i)
    cells += static_cast<double>(net.levels[order[0]]) * net.levels[order[i]];
  return cells;
}

/// No junction tree has more cells than the table of all columns: two cliques have fewer than one over both,
/// as long as each has two states or more for every one that they share.
double joint_cells(const MarkovNet& net) {
  double cells = 1;
  for (const std::uint32_t levels : net.levels) cells *= std::max(levels, 2U);
  return cells;
}

/// How many columns a table of so many cells may have: those of fewest levels.
std::size_t most_columns(const MarkovNet& net, double cells) {
  graph::Sizes levels = net.levels;
  std::sort(levels.begin(), levels.end());
  double product = 1;
  std::size_t columns = 0;
  while (columns < levels.size() && product * levels[columns] <= cells) product *= levels[columns++];
  return columns;
}

}  // namespace

Selection parse_selection(const std::string& text) {
  if (text == "tree") return Selection::tree;
  if (text == "adaptive") return Selection::adaptive;
  throw Error(ErrorCode::bad_option,
              {"--select ", from_option(text), " is not known; it is tree or adaptive"});
}

Model selecting(const Schema& schema, Selection select) {
  return chosen_by(of_columns(declared_columns(schema), schema), select);
}

Model selecting(const Model& model, const Schema& schema, Selection select) {
  if (const auto* net = model.as<MarkovNet>()) {
    if (select == Selection::adaptive && !net->potential_sd && net->alpha != MarkovNet{}.alpha) {
      throw Error(
          ErrorCode::bad_prior,
          {"the study declares a hyper-Dirichlet prior, and what --select adaptive chooses is rarely "
           "decomposable and then has no such law; write prior = { normal = \"1\" }, or leave `prior` "
           "out"});
    }
    return chosen_by(*net, select);
  }
  return chosen_by(of_columns(columns_of(model), schema), select);
}

std::size_t most_more_pairs(const MarkovNet& net) {
  const std::size_t columns = net.columns.size();
  return columns < 2 ? 0 : (columns - 1) * (columns - 2) / 2;
}

std::size_t usual_pairs(const MarkovNet& net) { return std::min(net.columns.size(), most_more_pairs(net)); }

SelectionForecast selection_forecast(const MarkovNet& net) {
  const double tree = heaviest_tree(net);
  if (net.select != Selection::adaptive) return {tree, 1, 0};
  const double cells = std::max(tree, std::min(joint_cells(net), static_cast<double>(net.most_cells)));
  const std::size_t columns = std::max<std::size_t>(most_columns(net, cells), 2);
  return {cells, std::min(columns, net.columns.size()) - 1, fits_of(net)};
}

}  // namespace postern::model
