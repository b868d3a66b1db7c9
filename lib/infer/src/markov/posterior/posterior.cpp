#include "postern/infer/markov/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/graph/conditional_tables.hpp"

#include "markov/posterior/latent_data.hpp"
#include "markov/posterior/potentials_kernel.hpp"
#include "markov/posterior/setting.hpp"
#include "markov/posterior/tables_kernel.hpp"

namespace postern::infer {
namespace {

/// What chains may spend is counted in what a step costs: the least effective sample size tells what came of
/// it.
DriverOptions bounded(const DriverOptions& options, double cost, double for_warmup, double for_thinning) {
  constexpr double kLeastWarmup = 800;
  constexpr double kLeastThinning = 1;
  const auto at_most = [&](double budget, double least) {
    return static_cast<std::size_t>(std::max(least, budget / std::max(cost, 1.0)));
  };
  DriverOptions out = options;
  out.most_warmup = std::min(options.most_warmup, at_most(for_warmup, kLeastWarmup));
  out.most_thinning = std::min(options.most_thinning, at_most(for_thinning, kLeastThinning));
  return out;
}

}  // namespace

double least_noise_scale(const MarkovProblem& problem) {
  double least = std::numeric_limits<double>::infinity();
  for (const NoisyTable& table : problem.tables) {
    const double rate = release::shape(table.law).rate;
    least = std::min(least, rate > 0 ? 1 / rate : std::sqrt(0.5 * release::variance(table.law)));
  }
  return least;
}

ChainRun draw_markov_posterior(const MarkovProblem& problem, MarkovSampler sampler,
                               const MarkovReport& report, const MarkovPosteriorOptions& options,
                               const DriverOptions& driver, const Conversation& conversation) {
  const markov::PosteriorSetting setting(problem, options, conversation);
  const graph::ConditionalTables families(report.tree, setting.data.model->cliques(), report.families,
                                          report.margins);
  if (sampler == MarkovSampler::tables) {
    const markov::LatentData data(setting, problem);
    return run_chains(markov::ExactKernel(setting, data, families, conversation),
                      bounded(driver, static_cast<double>(data.moves()), 1e7, 3e4), conversation);
  }
  // A trajectory of some sixteen steps, each a product with dense matrices and a pass over the tree.
  const auto rank = static_cast<double>(setting.basis.rank());
  const double cost = 16 * (4 * rank * rank + 8 * report.tree.cells());
  return run_chains(markov::PotentialsKernel(setting, families, conversation),
                    bounded(driver, cost, 2e9, 4e6), conversation);
}

}  // namespace postern::infer
