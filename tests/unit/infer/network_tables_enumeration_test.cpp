// The chain on tables against the list of all latent data sets.

#include <cmath>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network_tables_reference.hpp"
#include "network_tables_support.hpp"

namespace postern::infer {
namespace {

constexpr double kAlpha = 1e-6;  ///< of all comparisons of one test together

/// Means and mean squares of every quantity, by how many standard errors of the chain they are off at most.
double worst_z(const NetworkProblem& problem, std::uint64_t seed, std::size_t& comparisons) {
  const NetworkReference reference(problem);
  DriverOptions options;
  options.seed = seed;
  options.draws = 2500;
  const ChainRun run = draw_network_tables(problem, options, {});
  double worst = 0;
  for (std::size_t q = 0; q < network_quantities(problem); ++q) {
    const QuantityDraws draws(run, q, options.draws);
    const NetworkReference::Moments& exact = reference.moments()[q];
    if (exact.sd() < 1e-9) continue;
    EXPECT_LT(draws.rhat(), 1.02);
    const double mean = draws.mean([](double x) { return x; });
    const double centred = draws.mean([&](double x) { return (x - exact.mean) * (x - exact.mean); });
    const double fourth = draws.mean([&](double x) { return std::pow(x - exact.mean, 4); });
    const double variance = exact.sd() * exact.sd();
    const double ess = std::min(draws.ess(), 10'000.0);
    const double z = (mean - exact.mean) / (exact.sd() / std::sqrt(ess));
    const double z_variance = (centred - variance) / std::sqrt((fourth - variance * variance) / ess);
    worst = std::max({worst, std::abs(z), std::abs(z_variance)});
    comparisons += 2;
  }
  return worst;
}

double limit(std::size_t comparisons) {
  return -normal_quantile(kAlpha / 2 / static_cast<double>(comparisons));
}

/// Data sets of n records, at most.
double data_sets(double states, double n) { return std::exp(log_choose(n + states - 1, n)); }

NetworkProblem random_network(Rng& rng, bool gaussian, bool latent) {
  for (;;) {
    const std::size_t size = 2 + draw_below(4, rng);
    std::vector<std::uint32_t> sizes;
    Parents parents(size);
    double states = 1;
    for (std::uint32_t v = 0; v < size; ++v) {
      sizes.push_back(2 + static_cast<std::uint32_t>(draw_below(2, rng)));
      states *= sizes.back();
      for (std::uint32_t u = 0; u < v; ++u) {
        if (parents[v].size() < 3 && rng.uniform() < 0.6) parents[v].insert(parents[v].begin(), u);
      }
    }
    const auto n = static_cast<std::int64_t>(3 + draw_below(5, rng));
    if (data_sets(states + (latent ? 1 : 0), static_cast<double>(n)) > 6000) continue;
    NetworkProblem problem = empty_network(sizes, parents, 0.5);
    for (NetworkFamily& family : problem.families) {
      for (double& alpha : family.alpha) alpha = rng.uniform() < 0.3 ? 0.2 + 2 * rng.uniform() : 0.5;
    }
    problem.total = KnownTotal{n};
    if (latent) problem.total = LatentTotal{n, -0.1};
    release::NoiseLaw law = release::DiscreteLaplace(0.3 + rng.uniform());
    if (gaussian) law = release::DiscreteGaussian(0.5 + 3 * rng.uniform());
    release_records(problem, draw_truth(problem, rng), std::max<std::int64_t>(n - 2 * latent, 0), law, rng);
    return problem;
  }
}

TEST(NetworkTablesEnumeration, EqualsTheListOfDataSetsOfRandomNetworks) {
  Rng rng(20261118, 0, Purpose::test);
  std::size_t comparisons = 0;
  double worst = 0;
  for (std::uint64_t i = 0; i < 32; ++i) {
    SCOPED_TRACE("network " + std::to_string(i));
    const NetworkProblem problem = random_network(rng, i % 2 == 1, i % 4 > 1);
    const double z = worst_z(problem, i, comparisons);
    EXPECT_LT(z, 8);
    worst = std::max(worst, z);
  }
  EXPECT_LT(worst, limit(comparisons)) << comparisons << " comparisons";
}

}  // namespace
}  // namespace postern::infer
