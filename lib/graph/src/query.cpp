#include "postern/graph/query.hpp"

#include <cmath>
#include <utility>

#include "postern/core/special.hpp"

namespace postern::graph {
namespace {

NetworkAnswer answer(const Dag& dag, const Sizes& sizes, Tables tables, std::vector<Variables> targets,
                     const Evidence& evidence) {
  check_evidence(evidence, sizes);
  NetworkQuestion question{std::move(targets), {}, true};
  std::vector<std::uint32_t> levels;
  for (const Seen& seen : evidence) {
    question.evidence.push_back(seen.variable);
    levels.push_back(seen.level);
  }
  const CompiledNetwork network(dag, sizes, std::move(question));
  CompiledNetwork::Workspace work = network.workspace();
  const std::size_t count = network.question().targets.size();
  std::vector<double> flat(network.offset(count));
  NetworkAnswer out;
  out.log_evidence = network.run(tables, levels, work, flat);
  if (out.log_evidence == kMinusInfinity) return out;
  for (std::size_t t = 0; t < count; ++t) {
    out.tables.emplace_back(flat.begin() + static_cast<std::ptrdiff_t>(network.offset(t)),
                            flat.begin() + static_cast<std::ptrdiff_t>(network.offset(t + 1)));
  }
  return out;
}

}  // namespace

NetworkAnswer joint_table(const Dag& dag, const Sizes& sizes, Tables tables, const Variables& target,
                          const Evidence& evidence) {
  return answer(dag, sizes, tables, {target}, evidence);
}

NetworkAnswer posteriors(const Dag& dag, const Sizes& sizes, Tables tables, const Evidence& evidence) {
  return answer(dag, sizes, tables, every_variable(dag.size(), {}).targets, evidence);
}

LikelyState most_probable(const Dag& dag, const Sizes& sizes, Tables tables, const Evidence& evidence) {
  check_evidence(evidence, sizes);
  std::vector<Variables> scopes;
  std::vector<double> logs;
  for (std::uint32_t v = 0; v < dag.size(); ++v) {
    scopes.push_back(dag.family(v));
    for (const double p : tables[v]) logs.push_back(std::log(p));
  }
  const Elimination elimination = cheapest_elimination(dag.moral(), sizes);
  check_forecast(forecast(elimination, sizes), kPropagationBytes, sizes);
  const Propagation propagation(JunctionTree(elimination, sizes), scopes);
  Propagation::Workspace work = propagation.workspace();
  LikelyState out{0, std::vector<std::uint32_t>(dag.size())};
  out.log_probability = propagation.maximise(logs, evidence, work, out.state);
  if (out.log_probability == kMinusInfinity) out.state.clear();
  return out;
}

}  // namespace postern::graph
