#include "from_chains.hpp"

#include <utility>

#include "postern/core/parallel.hpp"

#include "draw_summary.hpp"
#include "stream_key.hpp"

namespace postern::infer {

DriverOptions driver_for(const Posterior& out, const InferOptions& options, std::string_view engine) {
  DriverOptions driver;
  driver.chains = out.chains;
  driver.draws = out.iterations;
  driver.seed = stream_key(options.seed, engine);
  driver.threads = options.threads;
  return driver;
}

void take_chains(Posterior& out, ChainRun run, std::string_view engine, const std::string& why,
                 const InferOptions& options) {
  out.draws = std::move(run.draws);
  out.engine = engine;
  out.reason = why + "; MCMC, " + std::to_string(run.warmup) + " steps of warm-up, one draw kept of " +
               std::to_string(run.thinning);
  if (!options.summarise) return;
  out.summary.resize(out.names.size());
  parallel_for(out.names.size(), options.threads,
               [&](std::size_t q) { out.summary[q] = summarise_draws(out, q, DrawKind::markov); });
  for (Warning& warning : convergence_warnings(out.summary)) out.warnings.push_back(std::move(warning));
}

}  // namespace postern::infer
