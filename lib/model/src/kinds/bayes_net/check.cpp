#include "kinds/bayes_net/check.hpp"

#include <algorithm>
#include <limits>

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostNodes = 4'096;  // blocks of a document
constexpr std::size_t kMostInFamily = 16;  // columns of a table
constexpr std::uint32_t kMostWholes = 32;  // whole numbers that are told apart without cuts
constexpr std::size_t kUncountable = std::numeric_limits<std::size_t>::max();

Quotation number(std::size_t value) { return public_number(static_cast<long long>(value)); }

/// Numbers are discrete where they have cuts, or are a few whole ones.
void check_discrete(const Column& column) {
  const auto* whole = std::get_if<IntegerRange>(&column.values);
  const auto* real = std::get_if<RealRange>(&column.values);
  if (real != nullptr && real->cuts.empty()) {
    throw StudyError({{"columns", column.name}}, ErrorCode::bad_value,
                     {"a network is of discrete columns, and '", from_study(column.name),
                      "' is a real number; group it: cuts = [..]"});
  }
  if (whole != nullptr && whole->cuts.empty() && column.levels() > kMostWholes) {
    throw StudyError({{"columns", column.name}}, ErrorCode::bad_value,
                     {"a network is of discrete columns, and '", from_study(column.name), "' has ",
                      public_number(column.levels()), " whole numbers; group them: cuts = [..]"});
  }
}

void check_nodes(const BayesNet& net, const Schema& schema) {
  if (net.nodes.empty() || net.nodes.size() > kMostNodes) {
    throw StudyError({{"model", "columns"}}, ErrorCode::bad_value,
                     {"a network has between 1 and ", number(kMostNodes), " columns, and this one has ",
                      number(net.nodes.size())});
  }
  std::size_t after = 0;
  for (std::size_t i = 0; i < net.nodes.size(); ++i) {
    const Column& column = at_place({{"model", "columns"}, i},
                                    [&]() -> const Column& { return schema.at(net.nodes[i].column); });
    check_discrete(column);
    const std::size_t index = *schema.find(column.name);
    if (i > 0 && index <= after) {
      throw StudyError({{"model", "columns"}, i}, ErrorCode::bad_value,
                       {"the columns of a network are not in the order in which they are declared"});
    }
    after = index;
  }
}

void check_edges(const BayesNet& net) {
  for (const BayesNode& node : net.nodes) {
    if (node.parents.size() < kMostInFamily) continue;
    throw StudyError({{"model", "edges"}}, ErrorCode::bad_value,
                     {"'", from_study(node.column), "' has ", number(node.parents.size()),
                      " parents, and a column may have ", number(kMostInFamily - 1), "; leave edges out"});
  }
  at_place({{"model", "edges"}}, [&] { static_cast<void>(dag_of(net)); });
}

struct FamilySize {
  std::size_t cells = 1;
  std::string text;  ///< "3 x 4 x 2"
};

FamilySize family_size(const BayesNode& node, const Schema& schema) {
  FamilySize out;
  for (const std::string& name : family_columns(node)) {
    const std::size_t levels = schema.at(name).levels();
    out.cells = out.cells > kUncountable / levels ? kUncountable : out.cells * levels;
    out.text += (out.text.empty() ? "" : " x ") + std::to_string(levels);
  }
  return out;
}

/// Tables of the largest families, for people: "age, sex, cancer: 9 x 2 x 4".
std::string largest_families(const BayesNet& net, const Schema& schema) {
  constexpr std::size_t kShown = 3;
  std::vector<std::pair<FamilySize, const BayesNode*>> sizes;
  for (const BayesNode& node : net.nodes) sizes.emplace_back(family_size(node, schema), &node);
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const auto& a, const auto& b) { return a.first.cells > b.first.cells; });
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, sizes.size()); ++i) {
    out += (i == 0 ? "" : "; ") + joined(family_columns(*sizes[i].second), ", ") + ": " + sizes[i].first.text;
  }
  return out;
}

void check_sizes(const BayesNet& net, const Schema& schema) {
  std::size_t cells = 0;
  std::size_t largest = 0;
  for (const BayesNode& node : net.nodes) {
    const FamilySize size = family_size(node, schema);
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
                      number(kMaxCells), "; the largest are ", quote(largest_families(net, schema), 300),
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
  check_nodes(net, schema);
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
