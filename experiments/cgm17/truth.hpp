#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/log_linear.hpp"
#include "postern/infer/markov/problem.hpp"

namespace postern::cgm17 {

using Edges = std::vector<graph::Variables>;

/// An edge between any two variables at most three apart.
[[nodiscard]] Edges third_order_chain(std::uint32_t variables);
/// Each pair with probability `density`, drawn anew until the graph is connected and no clique of its
/// cheapest elimination has more than `widest` variables. (The paper names no probability.)
[[nodiscard]] Edges random_graph(std::uint32_t variables, double density, std::size_t widest, Rng& rng);

/// The law that records are drawn from: a table of each edge, Dirichlet(1).
struct Truth {
  graph::LogLinear model;
  std::vector<double> theta;
  std::vector<double> marginals;

  Truth(std::uint32_t variables, std::uint32_t levels, const Edges& edges, Rng& rng);
  [[nodiscard]] double kl_to(const graph::LogLinear& other, const std::vector<double>& theta_other) const;
};

/// Records of a truth, and the exact tables of its edges.
struct Population {
  std::vector<std::vector<std::uint32_t>> columns;
  std::vector<double> counts;  ///< laid out as the truth's theta
  std::size_t n = 0;

  Population(const Truth& truth, std::size_t n, Rng& rng);
};

/// The tables with noise of a law in each cell, n public; as the paper has them, Laplace noise of scale
/// |C| / epsilon. (That is epsilon for a record added where n were not told, 2 epsilon for one replaced.)
[[nodiscard]] infer::MarkovProblem noisy_tables(const Truth& truth, const Population& population,
                                                const release::NoiseLaw& law, Rng& rng);
[[nodiscard]] infer::MarkovProblem laplace_tables(const Truth& truth, const Population& population,
                                                  double epsilon, Rng& rng);
/// As if there were no noise: for the estimate without privacy.
[[nodiscard]] infer::MarkovProblem exact_tables(const Truth& truth, const Population& population);

}  // namespace postern::cgm17
