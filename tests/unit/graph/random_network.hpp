#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/graph/dag.hpp"
#include "postern/graph/network.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph::testing {

/// A network with its tables, and answers by listing every state.
struct RandomNetwork {
  Dag dag;
  Sizes sizes;
  std::vector<std::vector<double>> values;

  [[nodiscard]] std::vector<std::span<const double>> tables() const { return as_tables(values); }

  /// Calls visit(state, probability) for each state that agrees with the evidence.
  template <class Visit>
  void each_state(const Evidence& evidence, Visit&& visit) const {
    const auto views = tables();
    std::vector<std::uint32_t> state(sizes.size());
    for (;;) {
      const bool agrees =
          std::ranges::all_of(evidence, [&](const Seen& seen) { return state[seen.variable] == seen.level; });
      if (agrees) visit(state, std::exp(log_probability(dag, sizes, views, state)));
      std::size_t v = 0;
      while (v < state.size() && ++state[v] == sizes[v]) state[v++] = 0;
      if (v == state.size()) return;
    }
  }

  [[nodiscard]] double evidence_probability(const Evidence& evidence) const {
    double sum = 0;
    each_state(evidence, [&](const auto&, double p) { sum += p; });
    return sum;
  }

  /// P(target | evidence), row-major in the target's order.
  [[nodiscard]] std::vector<double> joint(const Variables& target, const Evidence& evidence) const {
    std::vector<double> out(static_cast<std::size_t>(cells_of(target, sizes)));
    double total = 0;
    each_state(evidence, [&](const auto& state, double p) {
      std::size_t cell = 0;
      for (const std::uint32_t v : target) cell = cell * sizes[v] + state[v];
      out[cell] += p;
      total += p;
    });
    for (double& p : out) p /= total;
    return out;
  }
};

/// Up to `most` variables of 1 to 4 levels, at most 20,000 states; parents in random order; with `zeros`, a
/// third of the probabilities is zero. Some networks are not connected.
inline RandomNetwork random_network(std::size_t most, bool zeros, Rng& rng) {
  RandomNetwork out;
  const std::size_t count = 1 + draw_below(most, rng);
  double states = 1;
  for (std::size_t v = 0; v < count; ++v) {
    std::uint32_t size = 1 + static_cast<std::uint32_t>(draw_below(4, rng));
    if (states * size > 20'000) size = 1;
    states *= size;
    out.sizes.push_back(size);
  }
  Variables order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i-- > 1;) std::swap(order[i], order[draw_below(i + 1, rng)]);
  const double density = rng.uniform();
  std::vector<Variables> parents(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (parents[order[i]].size() < 4 && rng.uniform() < density) parents[order[i]].push_back(order[j]);
    }
    Variables& own = parents[order[i]];
    for (std::size_t k = own.size(); k-- > 1;) std::swap(own[k], own[draw_below(k + 1, rng)]);
  }
  out.dag = Dag(parents);
  for (std::uint32_t v = 0; v < count; ++v) {
    std::vector<double> table(table_cells(out.dag, out.sizes, v));
    for (std::size_t row = 0; row < table.size(); row += out.sizes[v]) {
      double sum = 0;
      for (std::size_t i = row; i < row + out.sizes[v]; ++i) {
        table[i] = zeros && rng.uniform() < 1.0 / 3 && i + 1 < row + out.sizes[v] ? 0 : draw_exponential(rng);
        sum += table[i];
      }
      for (std::size_t i = row; i < row + out.sizes[v]; ++i) table[i] /= sum;
    }
    out.values.push_back(std::move(table));
  }
  return out;
}

/// Each variable with probability 1/3, at a random level.
inline Evidence random_evidence(const Sizes& sizes, Rng& rng) {
  Evidence out;
  for (std::uint32_t v = 0; v < sizes.size(); ++v) {
    if (rng.uniform() < 1.0 / 3) out.push_back({v, static_cast<std::uint32_t>(draw_below(sizes[v], rng))});
  }
  for (std::size_t i = out.size(); i-- > 1;) std::swap(out[i], out[draw_below(i + 1, rng)]);
  return out;
}

inline Variables random_target(std::size_t variables, Rng& rng) {
  Variables out;
  for (std::uint32_t v = 0; v < variables; ++v) {
    if (rng.uniform() < 0.3) out.push_back(v);
  }
  for (std::size_t i = out.size(); i-- > 1;) std::swap(out[i], out[draw_below(i + 1, rng)]);
  return out;
}

}  // namespace postern::graph::testing
