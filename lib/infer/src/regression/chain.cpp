#include "postern/infer/regression/chain.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "postern/core/diagnostics.hpp"
#include "postern/core/error.hpp"

#include "kernel.hpp"

namespace postern::infer {
namespace {

constexpr double kEffective = 400;

/// Effective draws of the coefficient that has fewest.
double least_effective(const ChainRun& run, std::size_t coefficients, std::size_t draws) {
  double least = 1e300;
  for (std::size_t q = 0; q < coefficients; ++q) {
    std::vector<std::span<const double>> chains;
    for (const std::vector<double>& chain : run.draws) chains.emplace_back(chain.data() + q * draws, draws);
    const ChainDraws all(chains);
    const double effective = std::min(bulk_ess(all), tail_ess(all));
    if (!std::isnan(effective)) least = std::min(least, effective);
  }
  return least;
}

}  // namespace

ChainRun draw_regression(const RegressionProblem& problem, const DriverOptions& options,
                         const Conversation& conversation) {
  if (problem.features == 0 || problem.features > kMostFeatures)
    throw Error(ErrorCode::bad_value, {"a regression has 1 to 30 columns of features"});
  const MomentTarget target(problem);
  const RegressionKernel kernel(target, conversation);
  const RegressionQuantities quantities(problem);
  const double kept = static_cast<double>(options.chains) * static_cast<double>(options.draws);
  const double goal = std::min(kEffective, 0.5 * kept);
  DriverOptions longer = options;
  for (int attempt = 0;; ++attempt) {
    ChainRun run = run_chains(kernel, longer, conversation);
    if (attempt == 1 || least_effective(run, quantities.coefficients, options.draws) >= goal) return run;
    longer.first_stage *= 4;
    longer.most_warmup *= 4;
    longer.most_thinning *= 4;
  }
}

}  // namespace postern::infer
