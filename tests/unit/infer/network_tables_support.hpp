#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/core/draw.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// Parents of each variable, numbered so that parents come first.
using Parents = std::vector<std::vector<std::uint32_t>>;

inline NetworkProblem empty_network(std::vector<std::uint32_t> sizes, const Parents& parents, double alpha) {
  NetworkProblem problem;
  problem.sizes = std::move(sizes);
  for (std::uint32_t v = 0; v < parents.size(); ++v) {
    NetworkFamily family;
    family.variables = parents[v];
    family.variables.push_back(v);
    std::size_t cells = 1;
    for (const std::uint32_t u : family.variables) cells *= problem.sizes[u];
    family.alpha.assign(cells, alpha);
    family.noisy_values.resize(cells);
    problem.families.push_back(std::move(family));
  }
  return problem;
}

/// CPTs from the prior, laid out as network_quantities.
inline std::vector<double> draw_truth(const NetworkProblem& problem, Rng& rng) {
  std::vector<double> out;
  for (std::size_t v = 0; v < problem.sizes.size(); ++v) {
    const NetworkFamily& family = problem.families[v];
    std::vector<double> row(problem.sizes[v]);
    for (std::size_t cell = 0; cell < family.alpha.size(); cell += row.size()) {
      draw_dirichlet(std::span(family.alpha).subspan(cell, row.size()), row, rng);
      out.insert(out.end(), row.begin(), row.end());
    }
  }
  return out;
}

/// Noisy values of n records drawn from the CPTs. @pre parents come before their children
inline void release_records(NetworkProblem& problem, std::span<const double> truth, std::int64_t n,
                            const release::NoiseLaw& law, Rng& rng) {
  std::vector<std::vector<double>> tables;
  for (const NetworkFamily& family : problem.families) tables.emplace_back(family.alpha.size(), 0.0);
  std::vector<std::size_t> record(problem.sizes.size());
  for (std::int64_t i = 0; i < n; ++i) {
    const double* theta = truth.data();
    for (std::size_t v = 0; v < record.size(); ++v) {
      const NetworkFamily& family = problem.families[v];
      std::size_t row = 0;
      for (std::size_t p = 0; p + 1 < family.variables.size(); ++p)
        row = row * problem.sizes[family.variables[p]] + record[family.variables[p]];
      double left = rng.uniform();
      std::size_t level = 0;
      while (level + 1 < problem.sizes[v] && (left -= theta[row * problem.sizes[v] + level]) > 0) ++level;
      record[v] = level;
      tables[v][row * problem.sizes[v] + level] += 1;
      theta += family.alpha.size();
    }
  }
  for (std::size_t v = 0; v < tables.size(); ++v) {
    for (std::size_t cell = 0; cell < tables[v].size(); ++cell) {
      const double y = tables[v][cell] + static_cast<double>(release::simulate(law, rng));
      problem.families[v].noisy_values[cell].push_back({y, law});
    }
  }
}

/// Chains of one quantity.
class QuantityDraws {
 public:
  QuantityDraws(const ChainRun& run, std::size_t quantity, std::size_t length) {
    for (const auto& chain : run.draws) chains_.emplace_back(chain.data() + quantity * length, length);
  }
  [[nodiscard]] double ess() const { return bulk_ess(ChainDraws(chains_)); }
  [[nodiscard]] double rhat() const { return rank_rhat(ChainDraws(chains_)); }
  template <class Function>
  [[nodiscard]] double mean(const Function& f) const {
    double sum = 0;
    for (const auto& chain : chains_) {
      for (const double x : chain) sum += f(x);
    }
    return sum / static_cast<double>(chains_.size() * chains_.front().size());
  }

 private:
  std::vector<std::span<const double>> chains_;
};

}  // namespace postern::infer
