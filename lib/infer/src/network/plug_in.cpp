#include "postern/infer/network/plug_in.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
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

std::optional<SeenTotal> seen_total(const NetworkFamily& family) {
  SeenTotal seen;
  for (const std::vector<NoisyValue>& values : family.noisy_values) {
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

}  // namespace

double plug_in_total(const NetworkProblem& problem) {
  const double most = most_records(problem);
  if (std::holds_alternative<KnownTotal>(problem.total)) return most;
  if (of_coefficients(problem)) return std::clamp(NoisyCoefficients(problem).total().get_d(), 0.0, most);
  double weighted = 0;
  double precision = 0;
  for (const NetworkFamily& family : problem.families) {
    const std::optional<SeenTotal> seen = seen_total(family);
    if (!seen) continue;
    const double p = 1 / std::max(seen->variance, 1e-200);
    weighted += p * seen->sum;
    precision += p;
  }
  return precision > 0 ? std::clamp(weighted / precision, 0.0, most) : most / 2;
}

std::vector<std::vector<double>> plug_in(const NetworkProblem& problem) {
  if (of_coefficients(problem)) return plug_in_coefficients(problem);
  const double most = most_records(problem);
  const bool known = std::holds_alternative<KnownTotal>(problem.total);
  std::vector<std::vector<double>> out;
  for (const NetworkFamily& family : problem.families) {
    std::vector<double>& weights = out.emplace_back(family.alpha);
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
