#include "truth.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/graph/elimination.hpp"
#include "postern/graph/undirected.hpp"

namespace postern::cgm17 {

Edges third_order_chain(std::uint32_t variables) {
  Edges out;
  for (std::uint32_t a = 0; a < variables; ++a) {
    for (std::uint32_t b = a + 1; b < variables && b <= a + 3; ++b) out.push_back({a, b});
  }
  return out;
}

Edges random_graph(std::uint32_t variables, double density, std::size_t widest, Rng& rng) {
  for (;;) {
    Edges out;
    graph::UndirectedGraph graph(variables);
    for (std::uint32_t a = 0; a < variables; ++a) {
      for (std::uint32_t b = a + 1; b < variables; ++b) {
        if (rng.uniform() >= density) continue;
        out.push_back({a, b});
        graph.connect(a, b);
      }
    }
    if (std::ranges::max(graph.components()) > 0) continue;
    const auto cliques = graph::cheapest_elimination(graph, graph::Sizes(variables, 5)).cliques;
    if (std::ranges::all_of(cliques, [&](const auto& clique) { return clique.size() <= widest; })) return out;
  }
}

Truth::Truth(std::uint32_t variables, std::uint32_t levels, const Edges& edges, Rng& rng)
    : model(graph::Sizes(variables, levels), edges) {
  const std::vector<double> ones(std::size_t{levels} * levels, 1.0);
  std::vector<double> table(ones.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    draw_dirichlet(ones, table, rng);
    for (const double p : table) theta.push_back(std::log(p));
  }
  auto work = model.workspace();
  (void)model.evaluate(theta, work);
  marginals = work.marginals;
}

double Truth::kl_to(const graph::LogLinear& other, const std::vector<double>& theta_other) const {
  return graph::kl_divergence(model, theta, other, theta_other);
}

Population::Population(const Truth& truth, std::size_t count, Rng& rng) : n(count) {
  auto work = truth.model.workspace();
  (void)truth.model.evaluate(truth.theta, work);
  columns = truth.model.propagation().draw_records(work.propagation, n, graph::Sampling::independent, rng);
  counts.assign(truth.theta.size(), 0);
  for (std::size_t e = 0; e < truth.model.cliques().size(); ++e) {
    const graph::Variables& edge = truth.model.cliques()[e];
    double* const cells = counts.data() + truth.model.offset(e);
    const std::uint32_t levels = truth.model.sizes()[edge[1]];
    for (std::size_t i = 0; i < n; ++i) ++cells[columns[edge[0]][i] * levels + columns[edge[1]][i]];
  }
}

infer::MarkovProblem noisy_tables(const Truth& truth, const Population& population,
                                  const release::NoiseLaw& law, Rng& rng) {
  infer::MarkovProblem out = exact_tables(truth, population);
  for (infer::NoisyTable& table : out.tables) {
    for (double& y : table.values) y += static_cast<double>(release::simulate(law, rng));
    table.law = law;
  }
  return out;
}

infer::MarkovProblem laplace_tables(const Truth& truth, const Population& population, double epsilon,
                                    Rng& rng) {
  const auto cliques = static_cast<double>(truth.model.cliques().size());
  return noisy_tables(truth, population, release::DiscreteLaplace(epsilon / cliques), rng);
}

infer::MarkovProblem exact_tables(const Truth& truth, const Population& population) {
  infer::MarkovProblem out{
      truth.model.sizes(), {}, infer::KnownTotal{static_cast<std::int64_t>(population.n)}, {}};
  for (std::size_t e = 0; e < truth.model.cliques().size(); ++e) {
    const auto begin = population.counts.begin();
    out.tables.push_back({truth.model.cliques()[e],
                          {begin + static_cast<std::ptrdiff_t>(truth.model.offset(e)),
                           begin + static_cast<std::ptrdiff_t>(truth.model.offset(e + 1))},
                          release::DiscreteLaplace(50)});
  }
  return out;
}

}  // namespace postern::cgm17
