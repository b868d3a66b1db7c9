#include "postern/infer/network/tables_chain.hpp"

#include <algorithm>
#include <variant>

#include "postern/core/error.hpp"

#include "tables_kernel.hpp"

namespace postern::infer {

std::size_t network_quantities(const NetworkProblem& problem) {
  std::size_t quantities = std::holds_alternative<LatentTotal>(problem.total) ? 1 : 0;
  for (const NetworkFamily& family : problem.families) quantities += family.alpha.size();
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

ChainRun draw_network_tables(const NetworkProblem& problem, const DriverOptions& options,
                             const Conversation& conversation, std::span<const std::string> names) {
  if (!problem.coefficients.empty()) {
    throw Error(ErrorCode::engine_unsuitable,
                {"this engine takes counts of tables, and the release holds Fourier coefficients; --engine "
                 "naive takes them, without their noise in its intervals"});
  }
  const NetworkTarget target = NetworkTarget::make(problem, options.chains, options.threads, names);
  DriverOptions tuned = options;
  tuned.first_stage = std::max<std::size_t>(options.first_stage, TablesKernel::kTuning);
  return run_chains(TablesKernel(target), tuned, conversation);
}

}  // namespace postern::infer
