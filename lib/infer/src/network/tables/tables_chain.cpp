#include "postern/infer/network/tables_chain.hpp"

#include <algorithm>
#include <variant>

#include "tables_kernel.hpp"

namespace postern::infer {
namespace {

// A step of a large network is a sweep of thousands of moves: what chains may spend is counted in moves, and
// the least effective sample size tells what came of it.
constexpr std::size_t kWarmupMoves = 10'000'000;
constexpr std::size_t kLeastWarmup = 1500;  ///< steps
constexpr std::size_t kThinningMoves = 30'000;
constexpr std::size_t kLeastThinning = 4;
// Where the prior is learned a sweep costs two to three times as much, and concentrations move slowly. They
// are averaged over: no reason to throw most draws of the counts away.
constexpr double kLearnedApart = 0.5;         ///< autocorrelation times between draws
constexpr std::size_t kLearnedWarmup = 1500;  ///< steps, at most

}  // namespace

std::size_t network_quantities(const NetworkProblem& problem) {
  const auto latent = [](const auto& total) { return std::holds_alternative<LatentTotal>(total); };
  auto quantities = static_cast<std::size_t>(std::count_if(problem.sets.begin(), problem.sets.end(), latent));
  if (problem.sets.empty()) quantities = latent(problem.total) ? 1 : 0;
  for (std::size_t v = 0; v < problem.families.size(); ++v)
    quantities += problem.is_column(v) ? problem.families[v].alpha.size() : 0;
  return quantities;
}

graph::Forecast forecast_network_tables(const NetworkProblem& problem, std::size_t chains) {
  const NetworkShape shape(problem, integrable(problem));
  graph::Forecast out = forecast_shape(shape, chains);
  for (graph::Variables& clique : out.largest) {
    for (std::uint32_t& v : clique) v = shape.core[v];
  }
  return out;
}

void check_network_tables(const NetworkProblem& problem, std::size_t chains,
                          std::span<const std::string> names) {
  check_shape(NetworkShape(problem, integrable(problem)), chains, names);
}

bool cuts_total(const NetworkProblem& problem) {
  return problem.learned && problem.learned->cut_total && NetworkTotal::make(problem).has_value();
}

ChainRun draw_network_tables(const NetworkProblem& problem, const DriverOptions& options,
                             const Conversation& conversation, std::span<const std::string> names) {
  const NetworkTarget target = NetworkTarget::make(problem, options.chains, options.threads, names);
  const TablesKernel kernel(target);
  DriverOptions tuned = options;
  tuned.first_stage = std::max<std::size_t>(options.first_stage, TablesKernel::kTuning);
  const std::size_t moves = std::max<std::size_t>(kernel.moves(), 1);
  tuned.most_warmup = std::min(options.most_warmup, std::max(kLeastWarmup, kWarmupMoves / moves));
  tuned.most_thinning = std::min(options.most_thinning, std::max(kLeastThinning, kThinningMoves / moves));
  if (problem.learned) {
    tuned.apart = kLearnedApart;
    tuned.most_warmup = std::min(tuned.most_warmup, kLearnedWarmup);
  }
  return run_chains(kernel, tuned, conversation);
}

}  // namespace postern::infer
