#include "kinds/markov_net/text.hpp"

#include <algorithm>

#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/learned.hpp"
#include "kinds/network_tables.hpp"

namespace postern::model {
namespace {

using Names = std::vector<std::vector<std::string>>;

std::uint32_t place_of(const std::string& name, const MarkovNet& net) {
  return static_cast<std::uint32_t>(std::find(net.columns.begin(), net.columns.end(), name) -
                                    net.columns.begin());
}

void set_columns(MarkovNet& net, const std::vector<std::string>& names, const Schema& schema) {
  net.columns = as_declared(names, schema);
  for (const std::string& name : net.columns) net.levels.push_back(schema.at(name).levels());
}

void refuse_adaptive_keys(Node& node) {
  for (const char* key : {"pairs", "cells"}) {
    if (node.has(key))
      node.refuse(ErrorCode::bad_value, key, {"goes with select = \"adaptive\"; leave it out"});
  }
}

/// Cliques as they are written: columns in any order, each once in a clique.
void read_cliques(MarkovNet& net, const Names& cliques, const Schema& schema) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    at_place({{"model", "cliques"}, i}, [&] {
      for (const std::string& name : cliques[i]) {
        static_cast<void>(schema.at(name));
        if (std::count(cliques[i].begin(), cliques[i].end(), name) > 1)
          throw Error(ErrorCode::bad_value, {"a clique names the column '", from_study(name), "' twice"});
        names.push_back(name);
      }
    });
  }
  set_columns(net, names, schema);
  for (const std::vector<std::string>& clique : cliques) {
    graph::Variables& own = net.cliques.emplace_back();
    for (const std::string& name : clique) own.push_back(place_of(name, net));
    std::sort(own.begin(), own.end());
  }
}

/// Pairs of columns at most `reach` apart in the order in which they are named.
void pairs_within(MarkovNet& net, const std::vector<std::string>& names, std::size_t reach) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size() && j - i <= reach; ++j)
      net.cliques.push_back(graph::sorted({place_of(names[i], net), place_of(names[j], net)}));
  }
  if (names.size() == 1) net.cliques.push_back({0});
}

std::vector<std::string> named_columns(Node& node, const Schema& schema) {
  std::vector<std::string> names = node.has("columns") ? node.texts("columns") : declared_columns(schema);
  check_declared(names, "columns", schema);
  return names;
}

void read_pattern(MarkovNet& net, Node& node, const Schema& schema) {
  const std::string pattern = node.text("pattern");
  if (node.has("cliques"))
    node.refuse(ErrorCode::bad_value, "cliques",
                {"the cliques are those of `pattern`; leave one of them out"});
  if (pattern != "chain" && pattern != "all-pairs") {
    node.refuse(ErrorCode::bad_value, "pattern",
                {"'", from_study(pattern),
                 "' is no pattern; it is \"chain\" or \"all-pairs\", and other networks, trees too, write "
                 "their pairs, cliques = [[\"age\", \"sex\"], ..], or have them chosen: select = \"tree\""});
  }
  const std::vector<std::string> names = named_columns(node, schema);
  set_columns(net, names, schema);
  std::size_t reach = names.size();
  if (pattern == "chain")
    reach = node.has("order") ? static_cast<std::size_t>(node.integer("order", 1, kMostNodes)) : 1;
  if (pattern != "chain" && node.has("order"))
    node.refuse(ErrorCode::bad_value, "order", {"only a chain has an order"});
  pairs_within(net, names, reach);
}

void read_adaptive(MarkovNet& net, Node& node) {
  const auto pairs = static_cast<std::int64_t>(most_more_pairs(net));
  net.more_pairs = node.states_all() || node.has("pairs")
                       ? static_cast<std::size_t>(node.integer("pairs", 0, pairs))
                       : usual_pairs(net);
  net.most_cells = static_cast<std::size_t>(
      node.states_all() || node.has("cells") ? node.integer("cells", 1, kMostTreeCells) : kUsualCells);
}

/// select = "tree" or "adaptive": the columns alone.
void read_selection(MarkovNet& net, Node& node, const Schema& schema) {
  for (const char* other : {"cliques", "pattern", "order"}) {
    if (node.has(other))
      node.refuse(ErrorCode::bad_value, other, {"`select` has the release choose; leave one of them out"});
  }
  const std::string select = node.text("select");
  if (select != "tree" && select != "adaptive")
    node.refuse(ErrorCode::bad_value, "select", {"a release can select = \"tree\" or \"adaptive\""});
  net.select = select == "tree" ? Selection::tree : Selection::adaptive;
  set_columns(net, named_columns(node, schema), schema);
  if (net.select == Selection::adaptive) return read_adaptive(net, node);
  refuse_adaptive_keys(node);
}

void read_structure(MarkovNet& net, Node& node, const Schema& schema) {
  if (node.has("select")) return read_selection(net, node, schema);
  if (!node.states_all()) refuse_adaptive_keys(node);
  if (!node.states_all() && node.has("pattern")) return read_pattern(net, node, schema);
  for (const char* other : {"columns", "order"}) {
    if (!node.states_all() && node.has(other))
      node.refuse(ErrorCode::bad_value, other,
                  {"goes with `pattern`; the columns of a network are those of its cliques"});
  }
  if (!node.states_all() && !node.has("cliques")) {
    node.refuse(ErrorCode::missing_key, "",
                {"a Markov network needs cliques = [[\"age\", \"sex\"], ..], pattern = \"chain\" or "
                 "\"all-pairs\", or select = \"tree\" or \"adaptive\""});
  }
  read_cliques(net, node.text_rows("cliques", 0), schema);
}

/// Documents state a prior in any case.
void refuse_unused_prior(const MarkovNet& net, Node& prior) {
  if (net.select == Selection::none && !is_decomposable(net)) {
    prior.refuse(
        ErrorCode::bad_prior, "hyper-dirichlet",
        {"this network is not decomposable, and has no hyper-Dirichlet law; write prior = { normal = "
         "\"1\" }, a normal law of its potentials with that deviation, leave `prior` out to have the "
         "deviation estimated, or add cliques until the network is decomposable"});
  }
  if (net.select == Selection::adaptive) {
    prior.refuse(
        ErrorCode::bad_prior, "hyper-dirichlet",
        {"what select = \"adaptive\" chooses is rarely decomposable, and then has no hyper-Dirichlet "
         "law; write prior = { normal = \"1\" }, a normal law of potentials with that deviation, or "
         "leave `prior` out"});
  }
}

void read_prior(MarkovNet& net, Node& node) {
  if (!states_numbers(node)) return;
  const std::unique_ptr<Node> prior = node.inner("prior");
  prior->allow({"hyper-dirichlet", "normal"});
  if (prior->has("normal")) {
    if (prior->has("hyper-dirichlet"))
      prior->refuse(ErrorCode::bad_value, "normal", {"a prior is one or the other; leave one out"});
    net.potential_sd = prior->rational("normal");
  } else {
    if (!node.states_all()) refuse_unused_prior(net, *prior);
    net.alpha = prior->rational("hyper-dirichlet");
  }
  prior->finish();
}

void read_total(MarkovNet& net, Node& node) {
  if (!node.has("total")) return;
  const std::string total = node.text("total");
  if (total != "noisy" && total != "from-tables") {
    node.refuse(
        ErrorCode::bad_value, "total",
        {"the number of records, where it is private, is told by the tables, \"from-tables\", or counted "
         "for a share of its own, \"noisy\""});
  }
  net.noisy_total = total == "noisy";
  if (net.noisy_total && net.select != Selection::none)
    node.refuse(ErrorCode::bad_value, "total",
                {"cliques are chosen by tables of all columns, which tell the number"});
}

}  // namespace

MarkovNet read_markov_net(Node& node, const Schema& schema) {
  node.allow(
      {"kind", "cliques", "pattern", "columns", "order", "select", "pairs", "cells", "prior", "total"});
  MarkovNet net;
  read_structure(net, node, schema);
  read_prior(net, node);
  read_total(net, node);
  return net;
}

JsonValue write_markov_net(const MarkovNet& net) {
  const JsonValue prior = net.learned        ? json_text(kLearned)
                          : net.potential_sd ? json_object({{"normal", json_rational(*net.potential_sd)}})
                                             : json_object({{"hyper-dirichlet", json_rational(net.alpha)}});
  if (net.select == Selection::tree)
    return json_object({{"kind", json_text("markov-net")},
                        {"columns", json_texts(net.columns)},
                        {"select", json_text("tree")},
                        {"prior", prior}});
  if (net.select == Selection::adaptive)
    return json_object({{"kind", json_text("markov-net")},
                        {"cells", json_integer(static_cast<std::int64_t>(net.most_cells))},
                        {"columns", json_texts(net.columns)},
                        {"pairs", json_integer(static_cast<std::int64_t>(net.more_pairs))},
                        {"select", json_text("adaptive")},
                        {"prior", prior}});
  JsonArray cliques;
  for (const graph::Variables& clique : net.cliques)
    cliques.push_back(json_texts(clique_columns(net, clique)));
  if (net.noisy_total)
    return json_object({{"kind", json_text("markov-net")},
                        {"cliques", json_array(std::move(cliques))},
                        {"prior", prior},
                        {"total", json_text("noisy")}});
  return json_object(
      {{"kind", json_text("markov-net")}, {"cliques", json_array(std::move(cliques))}, {"prior", prior}});
}

}  // namespace postern::model
