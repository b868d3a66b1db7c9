#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"
#include "postern/graph/log_linear.hpp"
#include "postern/infer/markov/posterior.hpp"

namespace postern::infer::testing {

/// A Markov network with potentials drawn from their prior, tables of its records, and noise.
struct MarkovInstance {
  MarkovProblem problem;
  std::vector<double> margins;  ///< the truth: cells of all cliques
};

inline MarkovReport margins_report(const graph::Sizes& sizes, const std::vector<graph::Variables>& cliques) {
  graph::UndirectedGraph graph(sizes.size());
  for (const graph::Variables& clique : cliques) graph.connect_all(clique);
  return {graph::JunctionTree(graph, sizes), {}, cliques};
}

inline MarkovInstance markov_instance(const graph::Sizes& sizes, const std::vector<graph::Variables>& cliques,
                                      double sd, std::int64_t n, const release::NoiseLaw& law,
                                      std::optional<std::int64_t> at_most, Rng& rng) {
  const graph::LogLinear model(sizes, cliques);
  std::vector<double> theta(model.dimension());
  for (double& one : theta) one = sd * draw_normal(rng);
  graph::LogLinear::Workspace work = model.workspace();
  model.evaluate(theta, work);
  MarkovInstance out;
  out.margins = work.marginals;
  out.problem.sizes = sizes;
  out.problem.total = KnownTotal{n};
  if (at_most) out.problem.total = LatentTotal{*at_most, 0};
  const auto records = model.propagation().draw_records(work.propagation, static_cast<std::size_t>(n),
                                                        graph::Sampling::independent, rng);
  for (std::size_t f = 0; f < cliques.size(); ++f) {
    NoisyTable table{cliques[f], std::vector<double>(model.offset(f + 1) - model.offset(f)), law};
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      std::size_t cell = 0;
      for (const std::uint32_t v : cliques[f]) cell = cell * sizes[v] + records[v][i];
      table.values[cell] += 1;
    }
    for (double& value : table.values) value += static_cast<double>(release::simulate(law, rng));
    out.problem.tables.push_back(std::move(table));
  }
  return out;
}

inline const std::vector<graph::Variables> kLoop{{0, 1}, {1, 2}, {2, 3}, {0, 3}};

struct Moments {
  double mean = 0;
  double sd = 0;
  double ess = 0;
};
inline Moments moments(const ChainRun& run, std::size_t q, std::size_t draws) {
  std::vector<std::span<const double>> chains;
  Moments out;
  double count = 0;
  for (const std::vector<double>& chain : run.draws) {
    chains.emplace_back(chain.data() + q * draws, draws);
    for (const double x : chains.back()) {
      out.mean += x;
      out.sd += x * x;
      count += 1;
    }
  }
  out.mean /= count;
  out.sd = std::sqrt(std::max(out.sd / count - out.mean * out.mean, 0.0));
  out.ess = std::min(bulk_ess(ChainDraws(chains)), count);
  return out;
}

}  // namespace postern::infer::testing
