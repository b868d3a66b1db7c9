#include "network/check_plan.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/graph/elimination.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network/infer_network.hpp"
#include "network/make_problem.hpp"
#include "network/tables/contrast_moves.hpp"
#include "network/width.hpp"

namespace postern::infer {
namespace {

/// A release of the plan whose values are all 0: what is asked of it does not depend on them.
release::Release made_up(const model::Study& study, const model::NoisePlan& plan,
                         std::optional<std::int64_t> n) {
  release::Release out;
  out.study = study;
  out.request = plan.request;
  if (study.privacy.n_at_most) {
    out.n = release::PrivateCount{*study.privacy.n_at_most};
  } else {
    out.n = release::PublicCount{n.value_or(0)};
  }
  for (const model::Block& block : plan.measurement.blocks) {
    const bool choice = block.noise.kind == model::NoiseKind::exponential;
    out.blocks.push_back({block, std::vector<Int128>(choice ? 1 : block.size)});
  }
  return out;
}

}  // namespace

void check_network_plan(const model::Study& declared, const model::Study& network,
                        const model::NoisePlan& plan, std::optional<std::int64_t> n) {
  const InferOptions usual;
  const release::Release release = made_up(declared, plan, n);
  const NetworkProblem problem = make_network_problem(network, {&release}, usual);
  if (!problem.choices.empty()) return;  // choices that are too many to weigh are shown as they are
  if (!problem.coefficients.empty()) {
    if (!tables_engine_takes(problem, usual)) refuse_coefficients();
    return;
  }
  if (!problem.learned && StarPosterior::fits(problem) &&
      network_bytes(network, plan, n) <= static_cast<double>(usual.memory_limit))
    return;
  check_network_tables(problem, static_cast<std::size_t>(usual.chains), model::columns_of(network.model));
}

void check_cliques(std::span<const graph::Variables> cliques, std::span<const std::uint32_t> levels,
                   std::span<const std::string> names) {
  constexpr std::size_t kShown = 3;
  const graph::Sizes sizes(levels.begin(), levels.end());
  const auto chains = static_cast<std::size_t>(InferOptions{}.chains);
  graph::Forecast forecast;
  for (const graph::Variables& clique : cliques) {
    forecast.cells += graph::cells_of(clique, sizes);
    forecast.bytes += ContrastMoves::bytes(clique, sizes, chains);
  }
  forecast.largest.assign(cliques.begin(), cliques.end());
  std::ranges::stable_sort(forecast.largest, std::greater(),
                           [&](const graph::Variables& clique) { return graph::cells_of(clique, sizes); });
  forecast.largest.resize(std::min(kShown, forecast.largest.size()));
  graph::check_forecast(forecast, kNetworkTablesBytes, sizes, names);
}

}  // namespace postern::infer
