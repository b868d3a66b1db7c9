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
    return run_chains(markov::ExactKernel(setting, data, families, conversation), driver, conversation);
  }
  return run_chains(markov::PotentialsKernel(setting, families, conversation), driver, conversation);
}

}  // namespace postern::infer
