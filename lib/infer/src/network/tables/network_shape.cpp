#include "network_shape.hpp"

#include <utility>

#include "postern/graph/dag.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "contrast_moves.hpp"
#include "leaf.hpp"
#include "network/check_problem.hpp"

namespace postern::infer {
namespace {

graph::Dag dag_of(const NetworkProblem& problem) {
  std::vector<graph::Variables> parents;
  for (const NetworkFamily& family : problem.families)
    parents.emplace_back(parents_of(family).begin(), parents_of(family).end());
  return graph::Dag(std::move(parents));
}

}  // namespace

std::vector<bool> integrable(const NetworkProblem& problem) {
  check_network_problem(problem);
  const graph::Dag dag = dag_of(problem);
  std::vector<bool> out(problem.sizes.size());
  for (std::uint32_t v = 0; v < out.size(); ++v)
    out[v] = !problem.learned && dag.children(v).empty() && Leaf::worth_while(problem, v);
  // What is released of a sum over rows couples them, and so they are not independent given the parents.
  for (const NoisyCoefficient& one : problem.coefficients) {
    for (const std::uint32_t v : one.variables) out[v] = false;
  }
  for (const NetworkChoice& one : problem.choices) out[one.variable] = false;
  for (const NoisyMargin& table : problem.tables) {  // what it says is of the latent counts themselves
    for (const std::uint32_t v : table.variables) out[v] = false;
  }
  if (!problem.sets.empty()) out.back() = false;
  return out;
}

NetworkShape::NetworkShape(const NetworkProblem& problem, const std::vector<bool>& integrated) {
  numbers.assign(problem.sizes.size(), kNoCore);
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    if (integrated[v]) continue;
    numbers[v] = static_cast<std::uint32_t>(core.size());
    core.push_back(v);
    sizes.push_back(problem.sizes[v]);
  }
  const graph::Dag dag = dag_of(problem);
  for (const std::uint32_t v : dag.order()) {
    if (!integrated[v]) order.push_back(v);
  }
  graph::UndirectedGraph graph(core.size());
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    const NetworkFamily& family = problem.families[v];
    scopes.push_back(graph::sorted(in_core(parents_of(family))));
    if (!integrated[v]) scopes.push_back(graph::sorted(in_core(family.variables)));
    graph.connect_all(scopes.back());
  }
  for (const NoisyMargin& table : problem.tables) {
    scopes.push_back(graph::sorted(in_core(table.variables)));
    graph.connect_all(scopes.back());
  }
  elimination = graph::cheapest_elimination(graph, sizes);
}

graph::Variables NetworkShape::in_core(std::span<const std::uint32_t> variables) const {
  graph::Variables out;
  for (const std::uint32_t v : variables) out.push_back(numbers[v]);
  return out;
}

graph::Forecast forecast_shape(const NetworkShape& shape, std::size_t chains) {
  graph::Forecast out = graph::forecast(shape.elimination, shape.sizes);
  out.bytes = 0;
  for (const graph::Variables& clique : shape.elimination.cliques)
    out.bytes += ContrastMoves::bytes(clique, shape.sizes, chains);
  return out;
}

void check_shape(const NetworkShape& shape, std::size_t chains, std::span<const std::string> names) {
  std::vector<std::string> own;
  for (const std::uint32_t v : shape.core)
    own.push_back(names.empty() ? "variable " + std::to_string(v) : names[v]);
  graph::check_forecast(forecast_shape(shape, chains), kNetworkTablesBytes, shape.sizes, own);
}

}  // namespace postern::infer
