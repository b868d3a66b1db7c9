#include <algorithm>
#include <cmath>

#include "postern/core/parallel.hpp"
#include "postern/infer/network/plug_in.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network.hpp"
#include "plan.hpp"

namespace postern::adult {
namespace {

/// Share of the entries that are between the 5 % and the 95 % quantile of the draws.
double covered(const infer::ChainRun& run, const Theta& truth) {
  const std::size_t draws = run.draws.front().size() / truth.size();
  double out = 0;
  std::vector<double> sorted;
  for (std::size_t q = 0; q < truth.size(); ++q) {
    sorted.clear();
    for (const std::vector<double>& chain : run.draws) {
      const auto from = chain.begin() + static_cast<std::ptrdiff_t>(q * draws);
      sorted.insert(sorted.end(), from, from + static_cast<std::ptrdiff_t>(draws));
    }
    std::sort(sorted.begin(), sorted.end());
    const std::size_t tail = sorted.size() / 20;
    if (sorted[tail] <= truth[q] && truth[q] <= sorted[sorted.size() - 1 - tail]) out += 1;
  }
  return out / static_cast<double>(truth.size());
}

}  // namespace

void measure_coverage(const Plan& plan, const std::function<void(const Coverage&)>& tell) {
  for (const auto& [name, parents] : {std::pair("two-parents", &kTwoParents), std::pair("tree", &kTree)}) {
    for (std::size_t e = 0; e < plan.covered_epsilons.size(); ++e) {
      std::vector<double> aware(plan.truths);
      std::vector<double> plain(plan.truths);
      parallel_for(plan.truths, plan.threads, [&](std::size_t i) {
        Rng rng(plan.seed, static_cast<std::uint32_t>(1'000'000 + e * plan.truths + i), Purpose::simulation);
        const Theta truth = draw_theta(*parents, rng);
        const auto records = draw_records(*parents, truth, plan.records, rng);
        const infer::NetworkProblem problem = noisy_tables(*parents, records, plan.covered_epsilons[e], rng);
        infer::DriverOptions options;
        options.threads = 1;
        options.draws = plan.draws;
        options.seed = rng();
        aware[i] = covered(infer::draw_network_tables(problem, options, {}), truth);
        plain[i] = covered(infer::draw_network_plug_in(problem, options, {}), truth);
      });
      const auto count = static_cast<double>(plan.truths);
      Coverage row{name, plan.covered_epsilons[e], plan.truths, 0, 0, 0};
      for (std::size_t i = 0; i < plan.truths; ++i) {
        row.noise_aware += aware[i] / count;
        row.plug_in += plain[i] / count;
      }
      double squares = 0;
      for (const double one : aware) squares += (one - row.noise_aware) * (one - row.noise_aware);
      row.se = std::sqrt(squares / (count - 1) / count);
      tell(row);
    }
  }
}

}  // namespace postern::adult
