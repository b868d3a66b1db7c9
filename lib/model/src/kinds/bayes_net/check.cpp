#include "kinds/bayes_net/check.hpp"

#include <algorithm>

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/network_tables.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostInFamily = kMostInTable;

Quotation number(std::size_t value) { return public_number(static_cast<long long>(value)); }

void check_edges(const BayesNet& net) {
  for (const BayesNode& node : net.nodes) {
    if (node.parents.size() < kMostInFamily) continue;
    throw StudyError({{"model", "edges"}}, ErrorCode::bad_value,
                     {"'", from_study(node.column), "' has ", number(node.parents.size()),
                      " parents, and a column may have ", number(kMostInFamily - 1), "; leave edges out"});
  }
  at_place({{"model", "edges"}}, [&] { static_cast<void>(dag_of(net)); });
}

void check_sizes(const BayesNet& net, const Schema& schema) {
  std::size_t cells = 0;
  std::size_t largest = 0;
  std::vector<std::vector<std::string>> families;
  for (const BayesNode& node : net.nodes) {
    families.push_back(family_columns(node));
    const TableSize size = table_size(families.back(), schema);
    if (size.cells > kMaxCells) {
      throw StudyError({{"model", "edges"}}, ErrorCode::bad_value,
                       {"the table of '", from_study(node.column), "' and its parents has ",
                        quote(size.text, 200), " cells, and a table may have ", number(kMaxCells),
                        "; leave edges out, or cut the columns coarser"});
    }
    cells += size.cells;
    largest = std::max(largest, size.cells);
  }
  if (cells > kMaxCells) {
    throw StudyError({{"model", "edges"}}, ErrorCode::bad_value,
                     {"the tables of the network have ", number(cells), " cells together, and may have ",
                      number(kMaxCells), "; the largest are ", quote(largest_tables(families, schema), 300),
                      "; leave edges out, or cut columns coarser"});
  }
  if (largest < 2) {
    throw StudyError({{"model"}}, ErrorCode::bad_value,
                     {"every column of the network has one level only: nothing can be learnt"});
  }
}

void check_class(const BayesNet& net) {
  const std::string& name = *net.class_column;
  const bool shaped = std::all_of(net.nodes.begin(), net.nodes.end(), [&](const BayesNode& node) {
    return node.column == name ? node.parents.empty() : node.parents == std::vector<std::string>{name};
  });
  const bool found = std::any_of(net.nodes.begin(), net.nodes.end(),
                                 [&](const BayesNode& node) { return node.column == name; });
  if (shaped && found && net.nodes.size() >= 2) return;
  throw StudyError(
      {{"model", "class"}}, ErrorCode::bad_value,
      {"kind = \"naive-bayes\" is of a class and one or more features, whose only parent it is"});
}

}  // namespace

void check_structure(const BayesNet& net, const Schema& schema) {
  std::vector<std::string> columns;
  for (const BayesNode& node : net.nodes) columns.push_back(node.column);
  check_network_columns(columns, schema);
  check_edges(net);
  check_sizes(net, schema);
  if (net.class_column) check_class(net);
}

void check_alpha(const BayesNet& net, const Schema& schema) {
  for (const BayesNode& node : net.nodes) {
    const std::size_t cells = schema.domain(family_columns(node)).cells();
    at_place({{"model", "prior"}}, [&] {
      if (node.alpha.size() != cells) {
        throw Error(ErrorCode::bad_prior,
                    {"the prior of '", from_study(node.column), "' has ", number(node.alpha.size()),
                     " parameters and its table ", number(cells), " cells"});
      }
      for (const Rational& alpha : node.alpha) check_prior_parameter(alpha);
    });
  }
}

}  // namespace postern::model
