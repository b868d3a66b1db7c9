#include "postern/infer/network/plug_in.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/graph/domain.hpp"
#include "postern/graph/variables.hpp"
#include "postern/infer/network/fourier.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "kinds/plug_in.hpp"

namespace postern::infer {
namespace {

double most_records(const NetworkProblem& problem) {
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  return static_cast<double>(known != nullptr ? known->n : std::get<LatentTotal>(problem.total).at_most);
}

struct SeenTotal {
  double sum = 0;
  double variance = 0;
};

using NoisyCells = std::vector<std::vector<NoisyValue>>;

std::optional<SeenTotal> seen_total(const NoisyCells& cells) {
  SeenTotal seen;
  for (const std::vector<NoisyValue>& values : cells) {
    if (values.empty()) return std::nullopt;
    double precision = 0;
    for (const NoisyValue& value : values) precision += 1 / std::max(release::variance(value.law), 1e-200);
    seen.sum += combine(values);
    seen.variance += 1 / precision;
  }
  return seen;
}

/// Whether all that is released is coefficients, rather than counts of cells.
bool of_coefficients(const NetworkProblem& problem) {
  const auto counted = [](const NetworkFamily& family) {
    return std::any_of(family.noisy_values.begin(), family.noisy_values.end(),
                       [](const auto& values) { return !values.empty(); });
  };
  return std::any_of(problem.coefficients.begin(), problem.coefficients.end(),
                     [](const NoisyCoefficient& one) { return !one.variables.empty(); }) &&
         std::none_of(problem.families.begin(), problem.families.end(), counted);
}

std::vector<std::vector<double>> plug_in_coefficients(const NetworkProblem& problem) {
  const std::vector<FourierTable> tables = NoisyCoefficients(problem).repaired();
  std::vector<std::vector<double>> out;
  for (std::size_t v = 0; v < tables.size(); ++v) {
    std::vector<double>& weights = out.emplace_back(problem.families[v].alpha);
    for (std::size_t cell = 0; cell < weights.size(); ++cell) weights[cell] += tables[v].cell(cell).get_d();
  }
  return out;
}

graph::Domain domain_of(const graph::Variables& variables, const std::vector<std::uint32_t>& sizes) {
  std::vector<std::uint32_t> levels;
  for (const std::uint32_t v : variables) levels.push_back(sizes[v]);
  return {std::vector<std::string>(levels.size()), levels};
}

bool unseen(const NoisyCells& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const auto& values) { return values.empty(); });
}

/// Adds the counts of a family that was not released itself, as the smallest released table that holds it has
/// them: of a clique of a Markov network only the last column's family is released.
void add_margin(std::vector<double>& weights, const NetworkFamily& family, const NetworkProblem& problem,
                double most) {
  const graph::Variables wanted = graph::sorted(family.variables);
  const graph::Variables* variables = nullptr;
  const NoisyCells* cells = nullptr;
  const auto offer = [&](const graph::Variables& others, const NoisyCells& values) {
    if (!graph::holds(graph::sorted(others), wanted) || !seen_total(values)) return;
    if (cells == nullptr || values.size() < cells->size()) {
      variables = &others;
      cells = &values;
    }
  };
  for (const NetworkFamily& other : problem.families) offer(other.variables, other.noisy_values);
  for (const NoisyMargin& table : problem.tables) offer(table.variables, table.noisy_values);
  if (cells == nullptr) return;
  const graph::Domain domain = domain_of(*variables, problem.sizes);
  for (std::size_t cell = 0; cell < cells->size(); ++cell) {
    const std::vector<std::uint32_t> levels = domain.levels_of(cell);
    std::size_t at = 0;
    for (const std::uint32_t v : family.variables) {
      const auto place = std::find(variables->begin(), variables->end(), v) - variables->begin();
      at = at * problem.sizes[v] + levels[static_cast<std::size_t>(place)];
    }
    weights[at] += std::clamp(combine((*cells)[cell]), 0.0, most);
  }
}

}  // namespace

double plug_in_total(const NetworkProblem& problem) {
  const double most = most_records(problem);
  if (std::holds_alternative<KnownTotal>(problem.total)) return most;
  if (of_coefficients(problem)) return std::clamp(NoisyCoefficients(problem).total().get_d(), 0.0, most);
  double weighted = 0;
  double precision = 0;
  const auto look_at = [&](const NoisyCells& cells) {
    const std::optional<SeenTotal> seen = seen_total(cells);
    if (!seen) return;
    const double p = 1 / std::max(seen->variance, 1e-200);
    weighted += p * seen->sum;
    precision += p;
  };
  for (const NetworkFamily& family : problem.families) look_at(family.noisy_values);
  for (const NoisyMargin& table : problem.tables) look_at(table.noisy_values);
  return precision > 0 ? std::clamp(weighted / precision, 0.0, most) : most / 2;
}

std::vector<std::vector<double>> plug_in(const NetworkProblem& problem) {
  if (of_coefficients(problem)) return plug_in_coefficients(problem);
  const double most = most_records(problem);
  const bool known = std::holds_alternative<KnownTotal>(problem.total);
  std::vector<std::vector<double>> out;
  for (const NetworkFamily& family : problem.families) {
    std::vector<double>& weights = out.emplace_back(family.alpha);
    if (unseen(family.noisy_values)) {
      add_margin(weights, family, problem, most);
      continue;
    }
    double seen = 0;
    for (std::size_t cell = 0; cell < weights.size(); ++cell) {
      if (family.noisy_values[cell].empty()) continue;
      const double count = std::clamp(combine(family.noisy_values[cell]), 0.0, most);
      weights[cell] += count;
      seen += count;
    }
    // With n public a binary root is measured in one cell; the other is what is left.
    for (std::size_t cell = 0; known && family.variables.size() == 1 && cell < weights.size(); ++cell) {
      if (family.noisy_values[cell].empty()) weights[cell] += std::max(0.0, most - seen);
    }
  }
  return out;
}

ChainRun draw_network_plug_in(const NetworkProblem& problem, const DriverOptions& options,
                              const Conversation& conversation) {
  const std::vector<std::vector<double>> weights = plug_in(problem);
  const bool latent = std::holds_alternative<LatentTotal>(problem.total);
  const std::size_t quantities = network_quantities(problem);
  ChainRun run;
  run.draws.resize(options.chains);
  parallel_for(options.chains, options.threads, [&](std::size_t c) {
    Rng rng(options.seed, static_cast<std::uint32_t>(c), Purpose::draws);
    std::vector<double>& out = run.draws[c];
    out.resize(quantities * options.draws);
    std::vector<double> theta(quantities);
    for (std::size_t i = 0; i < options.draws; ++i) {
      conversation.check();
      std::size_t q = 0;
      for (std::size_t v = 0; v < weights.size(); ++v) {
        const std::size_t levels = problem.sizes[v];
        for (std::size_t cell = 0; cell < weights[v].size(); cell += levels, q += levels)
          draw_dirichlet(std::span(weights[v]).subspan(cell, levels), std::span(theta).subspan(q, levels),
                         rng);
      }
      if (latent) theta[q] = plug_in_total(problem);
      for (q = 0; q < quantities; ++q) out[q * options.draws + i] = theta[q];
    }
  });
  return run;
}

}  // namespace postern::infer
