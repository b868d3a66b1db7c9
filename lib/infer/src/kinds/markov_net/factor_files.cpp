#include "factor_files.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/json_text.hpp"
#include "postern/graph/uai.hpp"
#include "postern/model/kinds/markov_net.hpp"

#include "markov/clique_factors.hpp"
#include "network/mean_network.hpp"
#include "posterior/csv_text.hpp"
#include "posterior/json_lists.hpp"
#include "problem.hpp"

namespace postern::infer {
namespace {

using model::MarkovNet;

/// Those that lie within no other.
std::vector<graph::Variables> largest_cliques(const MarkovNet& net) {
  std::vector<graph::Variables> out;
  for (const graph::Variables& clique : net.cliques) {
    if (std::ranges::none_of(net.cliques, [&](const graph::Variables& other) {
          return other.size() > clique.size() && graph::holds(other, clique);
        }))
      out.push_back(clique);
  }
  return out;
}

markov::CliqueFactors factors_of(const MarkovNet& net, const std::vector<std::vector<double>>& tables) {
  MarkovReport report = markov_report(net);
  markov::ConditionalLaw law{std::move(report.tree), std::move(report.families), {}};
  for (const std::vector<double>& table : tables)
    law.tables.insert(law.tables.end(), table.begin(), table.end());
  std::vector<graph::Variables> cliques = largest_cliques(net);
  if (model::is_decomposable(net)) return conditional_factors(law, std::move(cliques));
  if (auto found = matching_factors(law, std::move(cliques))) return std::move(*found);
  std::vector<graph::Variables> wider;  // these hold every law
  for (std::size_t c = 0; c < law.tree.size(); ++c) wider.push_back(law.tree.clique(c));
  return conditional_factors(law, std::move(wider));
}

std::string json_numbers(const std::vector<double>& numbers) {
  std::string out;
  for (const double number : numbers) out += (out.empty() ? "[" : ", ") + csv_number(number);
  return out + "]";
}

std::vector<TableColumn> columns_of(const MarkovNet& net, const model::Schema& schema) {
  std::vector<TableColumn> out;
  for (const std::string& name : net.columns) {
    TableColumn& one = out.emplace_back(TableColumn{name, {}});
    const model::Column& column = schema.at(name);
    for (std::uint32_t level = 0; level < column.levels(); ++level) one.levels.push_back(column.label(level));
  }
  return out;
}

std::string network_json(const model::Study& study, const graph::UaiNetwork& network,
                         const std::vector<std::vector<double>>& probabilities) {
  const auto& net = study.model.get<MarkovNet>();
  std::string out =
      "{\n  \"format\": \"postern-network\",\n  \"version\": 1,\n  \"name\": " + json_quoted(study.name) +
      ",\n  \"columns\": " + json_table(columns_of(net, study.schema)) + ",\n  \"cliques\": [";
  for (std::size_t c = 0; c < network.tables.size(); ++c) {
    const graph::UaiNetwork::Table& table = network.tables[c];
    out += std::string(c == 0 ? "" : ",") +
           "\n    {\"columns\": " + json_list(model::clique_columns(net, table.variables)) +
           ",\n     \"factor\": " + json_numbers(table.weights) +
           ",\n     \"probabilities\": " + json_numbers(probabilities[c]) + "}";
  }
  return out + "\n  ]\n}\n";
}

}  // namespace

std::vector<ModelFile> factors_of_means(const model::Study& study, const model::Study& directed,
                                        const Posterior& posterior) {
  const auto tables = mean_tables(directed, posterior);
  if (!tables) return {};
  const auto& net = study.model.get<MarkovNet>();
  markov::CliqueFactors factors = factors_of(net, *tables);
  graph::UaiNetwork network{graph::UaiNetwork::Kind::markov, net.levels, {}};
  for (std::size_t c = 0; c < factors.cliques.size(); ++c) {
    std::vector<double> weights;
    for (const double log : factors.logs[c]) weights.push_back(std::exp(log));
    network.tables.push_back({std::move(factors.cliques[c]), std::move(weights)});
  }
  return {{"network.uai", graph::write_uai(network)},
          {"network.json", network_json(study, network, factors.probabilities)}};
}

}  // namespace postern::infer
