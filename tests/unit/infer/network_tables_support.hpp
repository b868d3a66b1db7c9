#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/core/draw.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/model/helmert.hpp"

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

/// The family tables of n records drawn from the CPTs. @pre parents come before their children
inline std::vector<std::vector<double>> draw_tables(const NetworkProblem& problem,
                                                    std::span<const double> truth, std::int64_t n, Rng& rng) {
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
  return tables;
}

/// Noisy values of n records drawn from the CPTs.
inline void release_records(NetworkProblem& problem, std::span<const double> truth, std::int64_t n,
                            const release::NoiseLaw& law, Rng& rng) {
  const std::vector<std::vector<double>> tables = draw_tables(problem, truth, n, rng);
  for (std::size_t v = 0; v < tables.size(); ++v) {
    for (std::size_t cell = 0; cell < tables[v].size(); ++cell) {
      const double y = tables[v][cell] + static_cast<double>(release::simulate(law, rng));
      problem.families[v].noisy_values[cell].push_back({y, law});
    }
  }
}

/// Noisy Fourier coefficients of n records drawn from the CPTs, those of a set that families share once, and
/// n where it is latent.
inline void release_coefficients(NetworkProblem& problem, std::span<const double> truth, std::int64_t n,
                                 const release::NoiseLaw& law, Rng& rng) {
  std::vector<std::vector<double>> tables = draw_tables(problem, truth, n, rng);
  const auto noisy = [&](double value) {
    return NoisyValue{value + static_cast<double>(release::simulate(law, rng)), law};
  };
  if (std::holds_alternative<LatentTotal>(problem.total))
    problem.coefficients.push_back({{}, {}, noisy(static_cast<double>(n))});
  std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>> known;
  for (std::size_t v = 0; v < tables.size(); ++v) {
    const std::vector<std::uint32_t>& family = problem.families[v].variables;
    std::vector<std::uint32_t> sizes;
    for (const std::uint32_t u : family) sizes.push_back(problem.sizes[u]);
    model::helmert_transform(std::span<double>(tables[v]), sizes);
    for (std::size_t cell = 1; cell < tables[v].size(); ++cell) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> held;
      std::size_t left = cell;
      for (std::size_t i = family.size(); i-- > 0;) {
        if (left % sizes[i] > 0) held.emplace_back(family[i], static_cast<std::uint32_t>(left % sizes[i]));
        left /= sizes[i];
      }
      std::sort(held.begin(), held.end());
      if (!known.insert(held).second) continue;
      NoisyCoefficient one{{}, {}, noisy(tables[v][cell])};
      for (const auto& [variable, contrast] : held) {
        one.variables.push_back(variable);
        one.contrasts.push_back(contrast);
      }
      problem.coefficients.push_back(std::move(one));
    }
  }
}

/// A law of a grid between omega and 1 - omega, with a Beta(alpha, alpha) prior and the likelihood to the
/// power tau.
inline std::shared_ptr<const GridLaw> grid_law(std::size_t points, double omega, double tau, double alpha) {
  std::vector<double> logs;
  std::vector<double> prior;
  for (std::size_t g = 0; g < points; ++g) {
    const double p = omega + (1 - 2 * omega) * static_cast<double>(g) / static_cast<double>(points - 1);
    logs.push_back(tau * std::log(p));
    prior.push_back((alpha - 1) * std::log(p * (1 - p)));
  }
  return std::make_shared<GridLaw>(std::move(logs), std::move(prior));
}

/// Choices for every row of n records drawn from the CPTs, `draws` of each split: the first level against the
/// others, then the second against the rest, and so on.
inline void release_choices(NetworkProblem& problem, std::span<const double> truth, std::int64_t n,
                            const std::shared_ptr<const GridLaw>& law, std::size_t draws, Rng& rng) {
  const std::vector<std::vector<double>> tables = draw_tables(problem, truth, n, rng);
  for (std::uint32_t v = 0; v < tables.size(); ++v) {
    const std::uint32_t levels = problem.sizes[v];
    for (std::size_t row = 0; row * levels < tables[v].size(); ++row) {
      for (std::uint32_t first = 0; first + 1 < levels; ++first) {
        double above = 0;
        for (std::uint32_t l = first + 1; l < levels; ++l) above += tables[v][row * levels + l];
        const auto below = static_cast<std::int64_t>(tables[v][row * levels + first]);
        for (std::size_t i = 0; i < draws; ++i) {
          double left = rng.uniform();
          std::size_t chosen = 0;
          while (chosen + 1 < law->points() && (left -= std::exp(law->log_probability(
                                                    chosen, below, static_cast<std::int64_t>(above)))) > 0)
            ++chosen;
          problem.choices.push_back({v, row, first, first + 1, levels, law, chosen});
        }
      }
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
