#include "kinds/bayes_net/text.hpp"

#include <algorithm>
#include <utility>

#include "postern/graph/bif.hpp"
#include "postern/model/study_error.hpp"
#include "postern/model/study_files.hpp"

#include "kinds/bayes_net/check.hpp"
#include "kinds/bayes_net/network.hpp"
#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "kinds/network_tables.hpp"

namespace postern::model {
namespace {

const Rational& default_alpha() {
  static const Rational half(1, 2);
  return half;
}

/// Nodes without parents, in the order in which the schema declares them.
BayesNet nodes_of(const std::vector<std::string>& names, const Schema& schema) {
  BayesNet net;
  for (std::string& name : as_declared(names, schema)) net.nodes.push_back({std::move(name), {}, {}});
  return net;
}

std::size_t node_named(const BayesNet& net, const std::string& name, const Schema& schema) {
  for (std::size_t i = 0; i < net.nodes.size(); ++i) {
    if (net.nodes[i].column == name) return i;
  }
  static_cast<void>(schema.at(name));  // not declared: says which was meant
  throw Error(ErrorCode::bad_value, {"an edge names '", from_study(name),
                                     "', which is not among the model's `columns`; add it there"});
}

void add_edges(BayesNet& net, const std::vector<std::vector<std::string>>& edges, const Schema& schema) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    at_place({{"model", "edges"}, e}, [&] {
      const std::string& from = net.nodes[node_named(net, edges[e][0], schema)].column;
      BayesNode& to = net.nodes[node_named(net, edges[e][1], schema)];
      if (std::find(to.parents.begin(), to.parents.end(), from) != to.parents.end()) {
        throw Error(ErrorCode::bad_value, {"the edge from '", from_study(from), "' to '",
                                           from_study(to.column), "' is there twice; leave one out"});
      }
      to.parents.push_back(from);
    });
  }
}

BayesNet read_edges(Node& node, const Schema& schema) {
  if (!node.states_all() && !node.has("edges")) {
    node.refuse(ErrorCode::missing_key, "",
                {"a network needs edges = [[\"parent\", \"child\"], ..], or [] for none, or structure = "
                 "\"network.bif\""});
  }
  std::vector<std::string> names = declared_columns(schema);
  if (node.states_all() || node.has("columns")) names = node.texts("columns");
  check_declared(names, "columns", schema);
  BayesNet net = nodes_of(names, schema);
  add_edges(net, node.text_rows("edges", 2), schema);
  return net;
}

/// The columns and edges of a network file. Its probabilities are not looked at: they are what is to be
/// learnt.
BayesNet read_structure(Node& node, const Schema& schema) {
  for (const char* other : {"edges", "columns"}) {
    if (node.has(other)) {
      node.refuse(ErrorCode::bad_value, other,
                  {"columns and edges are those of `structure`; leave `", from_study(other), "` out"});
    }
  }
  auto* files = dynamic_cast<StudyFiles*>(&node);
  if (files == nullptr) node.refuse(ErrorCode::unsupported, "structure", {"is the name of a file"});
  const StudyFiles::File file = files->file("structure");
  const graph::BifNetwork read = graph::parse_bif(file.text, file.path);
  const std::vector<std::string> names = read.names();
  check_declared(names, "structure", schema);
  BayesNet net = nodes_of(names, schema);
  for (const graph::BifVariable& variable : read.variables) {
    const auto found = std::find_if(net.nodes.begin(), net.nodes.end(),
                                    [&](const BayesNode& one) { return one.column == variable.name; });
    for (const std::uint32_t parent : variable.parents) found->parents.push_back(names[parent]);
  }
  return net;
}

void fill(BayesNode& node, const Schema& schema, const Rational& value) {
  node.alpha.assign(schema.domain(family_columns(node)).cells(), value);
}

/// { cancer = [["1", "2"], ["2", "1"]], smoker = "0.1" }: a list of rows, for a root its only row, or one
/// number for all cells. In a study, nodes that are left out keep the default.
void read_tables(BayesNet& net, Node& tables, const Schema& schema) {
  std::vector<std::string_view> names;
  for (const BayesNode& node : net.nodes) names.emplace_back(node.column);
  tables.allow(names);
  for (BayesNode& node : net.nodes) {
    if (!tables.states_all() && !tables.has(node.column)) continue;
    if (!tables.is_list(node.column)) {
      fill(node, schema, tables.rational(node.column));
      continue;
    }
    const std::size_t levels = schema.at(node.column).levels();
    const std::size_t rows = schema.domain(node.parents).cells();
    node.alpha = node.parents.empty() ? tables.rationals(node.column, levels)
                                      : tables.rational_rows(node.column, rows, levels);
  }
  tables.finish();
}

void read_prior(BayesNet& net, Node& node, const Schema& schema) {
  for (BayesNode& one : net.nodes) fill(one, schema, default_alpha());
  if (!states_numbers(node)) return;
  const std::unique_ptr<Node> prior = node.inner("prior");
  prior->allow({"dirichlet", "bdeu"});
  if (prior->has("bdeu")) {
    if (prior->has("dirichlet"))
      prior->refuse(ErrorCode::bad_prior, "bdeu", {"a prior is `dirichlet` or `bdeu`, not both"});
    const Rational records = prior->rational("bdeu");
    for (BayesNode& one : net.nodes)
      fill(one, schema, records / static_cast<unsigned long>(one.alpha.size()));
  } else if (prior->is_table("dirichlet")) {
    read_tables(net, *prior->inner("dirichlet"), schema);
  } else {
    const Rational value = prior->rational("dirichlet");
    for (BayesNode& one : net.nodes) fill(one, schema, value);
  }
  prior->finish();
}

bool one_value(const std::vector<Rational>& values) {
  return std::all_of(values.begin(), values.end(), [&](const Rational& v) { return v == values.front(); });
}

/// What all cells hold, or all tables add up to, where it is one number.
struct PlainPrior {
  std::optional<Rational> dirichlet;
  std::optional<Rational> bdeu;
};

PlainPrior plain_prior(const BayesNet& net) {
  PlainPrior out;
  for (const BayesNode& node : net.nodes) {
    if (node.alpha.empty() || !one_value(node.alpha)) return {};
    const Rational total = node.alpha.front() * static_cast<unsigned long>(node.alpha.size());
    if (&node == &net.nodes.front()) out = {node.alpha.front(), total};
    if (out.dirichlet && *out.dirichlet != node.alpha.front()) out.dirichlet.reset();
    if (out.bdeu && *out.bdeu != total) out.bdeu.reset();
  }
  return out;
}

JsonValue table_json(const BayesNode& node, std::size_t levels) {
  if (one_value(node.alpha)) return json_rational(node.alpha.front());
  if (node.parents.empty()) return json_rationals(node.alpha);
  JsonArray rows;
  for (std::size_t at = 0; at < node.alpha.size(); at += levels) {
    const auto row = node.alpha.begin() + static_cast<std::ptrdiff_t>(at);
    rows.push_back(json_rationals({row, row + static_cast<std::ptrdiff_t>(levels)}));
  }
  return json_array(std::move(rows));
}

JsonValue prior_json(const BayesNet& net) {
  if (net.learned) return json_text(kLearned);
  const PlainPrior plain = plain_prior(net);
  if (plain.dirichlet) return json_object({{"dirichlet", json_rational(*plain.dirichlet)}});
  if (plain.bdeu) return json_object({{"bdeu", json_rational(*plain.bdeu)}});
  JsonObject tables;
  if (total_cells(net) > 0) {  // else the prior was left out, to compare all but priors
    const std::vector<std::size_t> levels = levels_by_tables(net);
    for (std::size_t i = 0; i < net.nodes.size(); ++i)
      tables.push_back({net.nodes[i].column, table_json(net.nodes[i], levels[i])});
  }
  return json_object({{"dirichlet", json_object(std::move(tables))}});
}

}  // namespace

BayesNet read_bayes_net(Node& node, const Schema& schema) {
  node.allow({"kind", "columns", "edges", "structure", "prior"});
  BayesNet net =
      !node.states_all() && node.has("structure") ? read_structure(node, schema) : read_edges(node, schema);
  check_structure(net, schema);
  read_prior(net, node, schema);
  return net;
}

BayesNet read_naive_bayes(Node& node, const Schema& schema) {
  node.allow({"kind", "class", "features", "prior"});
  const std::string name = node.text("class");
  at_place({{"model", "class"}}, [&] { static_cast<void>(schema.at(name)); });
  std::vector<std::string> names = declared_columns(schema);
  if (node.states_all() || node.has("features")) {
    names = node.texts("features");
    check_declared(names, "features", schema);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) {
      throw StudyError({{"model", "features"}, static_cast<std::size_t>(found - names.begin())},
                       ErrorCode::bad_value,
                       {"the class '", from_study(name), "' is among the features; leave it out"});
    }
    names.push_back(name);
  }
  BayesNet net = nodes_of(names, schema);
  for (BayesNode& one : net.nodes) {
    if (one.column != name) one.parents = {name};
  }
  net.class_column = name;
  check_structure(net, schema);
  read_prior(net, node, schema);
  return net;
}

JsonValue write_network(const BayesNet& net) {
  if (net.class_column) {
    std::vector<std::string> features;
    for (const BayesNode& node : net.nodes) {
      if (node.column != *net.class_column) features.push_back(node.column);
    }
    return json_object({{"kind", json_text("naive-bayes")},
                        {"class", json_text(*net.class_column)},
                        {"features", json_texts(features)},
                        {"prior", prior_json(net)}});
  }
  std::vector<std::string> columns;
  JsonArray edges;
  for (const BayesNode& node : net.nodes) {
    columns.push_back(node.column);
    for (const std::string& parent : node.parents) edges.push_back(json_texts({parent, node.column}));
  }
  return json_object({{"kind", json_text("bayes-net")},
                      {"columns", json_texts(columns)},
                      {"edges", json_array(std::move(edges))},
                      {"prior", prior_json(net)}});
}

std::string prior_text(const BayesNet& net) {
  if (net.learned) return kLearned;
  const PlainPrior plain = plain_prior(net);
  if (plain.dirichlet) return "dirichlet(" + to_decimal(*plain.dirichlet) + ")";
  if (plain.bdeu) return "bdeu(" + to_decimal(*plain.bdeu) + ")";
  return "dirichlet, as declared";
}

}  // namespace postern::model
