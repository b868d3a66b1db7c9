#include <algorithm>

#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/regression/chain.hpp"

#include "kernel.hpp"

namespace postern::infer {

ChainRun draw_plug_in_regression(const RegressionProblem& problem, const DriverOptions& options,
                                 const Conversation& conversation) {
  const MomentTarget target(problem);
  const RegressionQuantities quantities(problem);
  const double n = plausible_n(target);
  MomentWorkspace work(target.width());
  (void)target.fill(plausible_moments(target, n), n, work);
  ChainRun run;
  run.draws.resize(options.chains);
  parallel_for(options.chains, options.threads, [&](std::size_t chain) {
    Rng rng(options.seed, static_cast<std::uint32_t>(chain), Purpose::draws);
    std::vector<double> values(quantities.all);
    if (target.latent()) values[quantities.total] = n;
    values[quantities.outside] = outside_share(n, work);
    std::vector<double>& kept = run.draws[chain];
    kept.resize(quantities.all * options.draws);
    for (std::size_t i = 0; i < options.draws; ++i) {
      if (i % 64 == 0) conversation.check();
      draw_coefficients(target, n, work, rng, std::span(values).first(quantities.coefficients),
                        values[quantities.sigma]);
      for (std::size_t q = 0; q < values.size(); ++q) kept[q * options.draws + i] = values[q];
    }
  });
  return run;
}

}  // namespace postern::infer
