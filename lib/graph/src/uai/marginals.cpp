#include <cmath>
#include <utility>

#include "postern/core/special.hpp"
#include "postern/graph/factor.hpp"
#include "postern/graph/uai.hpp"

namespace postern::graph {
namespace {

/// What a workspace holds: less than where derivatives follow, for which other forecasts leave room.
double bytes_of_one_pass(const JunctionTree& tree) {
  double separators = 0;
  for (std::size_t c = 0; c < tree.size(); ++c) separators += cells_of(tree.separator(c), tree.sizes());
  return sizeof(double) * tree.cells() + (sizeof(double) + sizeof(std::size_t)) * separators;
}

}  // namespace

UaiAnswer uai_marginals(const UaiNetwork& network, const Evidence& evidence, double most_bytes) {
  check_evidence(evidence, network.sizes);
  std::vector<Variables> scopes;
  std::vector<double> logs;
  UndirectedGraph graph(network.sizes.size());
  for (const UaiNetwork::Table& table : network.tables) {
    Sizes own;
    for (const std::uint32_t v : table.variables) own.push_back(network.sizes[v]);
    std::vector<double> weights(table.weights);
    for (double& weight : weights) weight = std::log(weight);
    const Factor slice = reduced(Factor(table.variables, own, std::move(weights)), evidence);
    scopes.push_back(slice.variables());
    graph.connect_all(slice.variables());
    logs.insert(logs.end(), slice.logs().begin(), slice.logs().end());
  }
  // What is seen has one level left.
  Sizes sizes = network.sizes;
  for (const Seen& seen : evidence) sizes[seen.variable] = 1;
  const Elimination elimination = cheapest_elimination(graph, sizes);
  JunctionTree tree(elimination, sizes);
  UaiAnswer out;
  out.forecast = forecast(elimination, sizes);
  out.forecast.bytes = bytes_of_one_pass(tree);
  check_forecast(out.forecast, most_bytes, sizes);
  const Propagation propagation(std::move(tree), scopes);
  Propagation::Workspace work = propagation.workspace();
  out.log_partition = propagation.collect(logs, {}, work);
  if (out.log_partition == kMinusInfinity) return out;
  propagation.distribute(work);
  for (std::uint32_t v = 0; v < sizes.size(); ++v)
    out.marginals.push_back(propagation.marginal(Variables{v}, work));
  for (const Seen& seen : evidence) {
    out.marginals[seen.variable].assign(network.sizes[seen.variable], 0.0);
    out.marginals[seen.variable][seen.level] = 1;
  }
  return out;
}

}  // namespace postern::graph
