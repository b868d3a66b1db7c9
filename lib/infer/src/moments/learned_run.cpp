#include "moments/learned_run.hpp"

#include <cmath>

#include "postern/core/diagnostics.hpp"

#include "noise_check/moment_latents.hpp"

namespace postern::infer {
namespace {

constexpr double kEffective = 400;

/// Effective draws of the quantity that has fewest, of the first so many.
double least_effective(const ChainRun& run, std::size_t quantities, std::size_t draws) {
  double least = HUGE_VAL;
  for (std::size_t q = 0; q < quantities; ++q) {
    std::vector<std::span<const double>> chains;
    for (const std::vector<double>& chain : run.draws) chains.emplace_back(chain.data() + q * draws, draws);
    const ChainDraws all(chains);
    const double effective = std::min(bulk_ess(all), tail_ess(all));
    if (!std::isnan(effective)) least = std::min(least, effective);
  }
  return least;
}

}  // namespace

void tell_latents(const MomentDensity& target, const ScatterState& sums, std::span<double> out) {
  const std::vector<std::size_t>& column = target.order().column;
  std::vector<int> row(column.size());
  for (std::size_t a = 0; a < column.size(); ++a) row[column[a]] = static_cast<int>(a);
  const auto at = [&](std::size_t i, std::size_t j) {
    if (i == 0) return sums.n;
    const int a = row[i - 1];
    const double mean = sums.mean(a) + target.problem().origin_of(i - 1);
    if (j == 0) return sums.n * mean;
    const int b = row[j - 1];
    return sums.scatter(std::max(a, b), std::min(a, b)) +
           sums.n * mean * (sums.mean(b) + target.problem().origin_of(j - 1));
  };
  tell_moments(target.problem().moments, at, out);
}

std::vector<std::size_t> hidden_columns(const MomentDensity& target) {
  const ScatterOrder& order = target.order();
  const auto first = order.column.begin();
  std::vector<std::size_t> out(first + static_cast<std::ptrdiff_t>(order.seen),
                               first + static_cast<std::ptrdiff_t>(target.problem().features()));
  std::sort(out.begin(), out.end());
  return out;
}

ScatterStart with_metric(ScatterStart start, const MomentDensity& target, std::size_t times,
                         const DriverOptions& options, const Conversation& conversation) {
  Rng rng(options.seed, static_cast<std::uint32_t>(options.chains), Purpose::draws);
  ScatterChain scout(target, start);
  scout.spread_out(target, rng);
  scout.adapt(target, times, rng, conversation);
  start.factor = scout.metric();
  return start;
}

bool draws_suffice(const ChainRun& run, std::size_t quantities, const DriverOptions& options) {
  const double kept = static_cast<double>(options.chains) * static_cast<double>(options.draws);
  return least_effective(run, quantities, options.draws) >= std::min(kEffective, 0.25 * kept);
}

}  // namespace postern::infer
