#include "network/network_watch.hpp"

#include <algorithm>
#include <limits>

#include "network/make_problem.hpp"

namespace postern::infer {
namespace {

/// How many cells come before each table of a problem, its columns' families first.
std::vector<std::size_t> firsts(const NetworkProblem& problem) {
  std::vector<std::size_t> out{0};
  for (std::size_t v = 0; v < problem.families.size(); ++v) {
    if (problem.is_column(v)) out.push_back(out.back() + problem.families[v].alpha.size());
  }
  for (const NoisyMargin& table : problem.tables) out.push_back(out.back() + table.noisy_values.size());
  return out;
}

/// The same cell of set `k` among those of the joined problem.
std::size_t joined(std::size_t cell, const NetworkProblem& part, const NetworkProblem& problem,
                   std::size_t k) {
  const std::vector<std::size_t> own = firsts(part);
  const auto which =
      static_cast<std::size_t>(std::upper_bound(own.begin(), own.end(), cell) - own.begin() - 1);
  const std::size_t families = part.families.size();
  const std::vector<std::uint32_t>& variables =
      which < families ? part.families[which].variables : part.tables[which - families].variables;
  std::vector<std::uint32_t> wanted{static_cast<std::uint32_t>(problem.sizes.size() - 1)};
  wanted.insert(wanted.end(), variables.begin(), variables.end());
  const auto table = std::find_if(problem.tables.begin(), problem.tables.end(),
                                  [&](const NoisyMargin& one) { return one.variables == wanted; });
  if (table == problem.tables.end()) return kNoCell;
  const std::size_t before =
      firsts(problem)[families + static_cast<std::size_t>(table - problem.tables.begin())];
  return before + k * (own[which + 1] - own[which]) + cell - own[which];
}

}  // namespace

LatentWatch watch_cells(const model::Study& study, const std::vector<release::RecordSet>& sets,
                        std::span<const NetworkProblem> parts, const NetworkProblem& problem,
                        NoiseWatch& watch) {
  LatentWatch out = watch.for_chains();
  if (out.size == 0) return out;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    for (const std::size_t cell : released_cells(study, sets[k], parts[k]))
      places.push_back(problem.sets.empty() || cell == kNoCell ? cell : joined(cell, parts[k], problem, k));
  }
  out.see = [places, see = out.see](std::size_t chain, std::span<const double> cells) {
    std::vector<double> latent;
    for (const std::size_t place : places)
      latent.push_back(place == kNoCell ? std::numeric_limits<double>::quiet_NaN() : cells[place]);
    see(chain, latent);
  };
  out.size = firsts(problem).back() + problem.coefficients.size();
  return out;
}

}  // namespace postern::infer
