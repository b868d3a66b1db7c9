#include "kinds/markov_net/text.hpp"

#include <algorithm>

#include "postern/model/study_error.hpp"

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

/// select = "tree": the columns alone.
void read_selection(MarkovNet& net, Node& node, const Schema& schema) {
  for (const char* other : {"cliques", "pattern", "order"}) {
    if (node.has(other))
      node.refuse(ErrorCode::bad_value, other, {"`select` has the release choose; leave one of them out"});
  }
  if (node.text("select") != "tree")
    node.refuse(ErrorCode::bad_value, "select", {"a release can select = \"tree\", and nothing else yet"});
  net.select_tree = true;
  set_columns(net, named_columns(node, schema), schema);
}

void read_structure(MarkovNet& net, Node& node, const Schema& schema) {
  if (node.has("select")) return read_selection(net, node, schema);
  if (!node.states_all() && node.has("pattern")) return read_pattern(net, node, schema);
  for (const char* other : {"columns", "order"}) {
    if (!node.states_all() && node.has(other))
      node.refuse(ErrorCode::bad_value, other,
                  {"goes with `pattern`; the columns of a network are those of its cliques"});
  }
  if (!node.states_all() && !node.has("cliques")) {
    node.refuse(ErrorCode::missing_key, "",
                {"a Markov network needs cliques = [[\"age\", \"sex\"], ..], pattern = \"chain\" or "
                 "\"all-pairs\", or select = \"tree\""});
  }
  read_cliques(net, node.text_rows("cliques", 0), schema);
}

void read_prior(MarkovNet& net, Node& node) {
  if (!node.states_all() && !node.has("prior")) return;
  const std::unique_ptr<Node> prior = node.inner("prior");
  prior->allow({"hyper-dirichlet", "normal"});
  if (prior->has("normal")) {
    if (prior->has("hyper-dirichlet"))
      prior->refuse(ErrorCode::bad_value, "normal", {"a prior is one or the other; leave one out"});
    net.potential_sd = prior->rational("normal");
  } else {
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
  if (net.noisy_total && net.select_tree)
    node.refuse(ErrorCode::bad_value, "total",
                {"a tree is chosen by tables of all columns, which tell the number"});
}

}  // namespace

MarkovNet read_markov_net(Node& node, const Schema& schema) {
  node.allow({"kind", "cliques", "pattern", "columns", "order", "select", "prior", "total"});
  MarkovNet net;
  read_structure(net, node, schema);
  read_prior(net, node);
  read_total(net, node);
  return net;
}

JsonValue write_markov_net(const MarkovNet& net) {
  const JsonValue prior = net.potential_sd ? json_object({{"normal", json_rational(*net.potential_sd)}})
                                           : json_object({{"hyper-dirichlet", json_rational(net.alpha)}});
  if (net.select_tree)
    return json_object({{"kind", json_text("markov-net")},
                        {"columns", json_texts(net.columns)},
                        {"select", json_text("tree")},
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
