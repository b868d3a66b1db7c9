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

TEST(NetworkTablesEnumeration, TakesContinuousNoiseAndBands) {
  Rng rng(20261118, 7, Purpose::test);
  std::size_t comparisons = 0;
  double worst = 0;
  std::size_t turn = 0;
  for (std::uint64_t i = 0; i < 8; ++i) {
    SCOPED_TRACE("network " + std::to_string(i));
    NetworkProblem problem = random_network(rng, i % 2 == 1, i % 4 > 1);
    for (NetworkFamily& family : problem.families) {
      for (auto& values : family.noisy_values) {
        for (NoisyValue& value : values) value = made_elsewhere(value, turn++);
      }
    }
    worst = std::max(worst, worst_z(problem, i, comparisons));
  }
  EXPECT_LT(worst, limit(comparisons)) << comparisons << " comparisons";
}

/// Moments of one network, alone.
void expect_exact(const NetworkProblem& problem) {
  std::size_t comparisons = 0;
  const double worst = worst_z(problem, 1, comparisons);
  EXPECT_LT(worst, limit(comparisons)) << comparisons << " comparisons";
}

// c is nearly always the exclusive or of a and b, and the noise is small: from one data set to another that
// fits, two fields of a record must change at once, or one cell of the clique stays empty on the way.
TEST(NetworkTablesEnumeration, CrossesACliqueThatIsNearlyDeterministic) {
  NetworkProblem problem = empty_network({2, 2, 2, 2}, {{}, {}, {0, 1}, {2}}, 0.1);
  problem.total = KnownTotal{5};
  Rng rng(4, 0, Purpose::test);
  std::vector<double> truth = draw_truth(problem, rng);
  const std::vector<double> fair_and_xor{0.5, 0.5, 0.5, 0.5, 1, 0, 0, 1, 0, 1, 1, 0};
  std::copy(fair_and_xor.begin(), fair_and_xor.end(), truth.begin());
  release_records(problem, truth, 5, release::DiscreteLaplace(2.5), rng);
  expect_exact(problem);
}

// A clique of three variables of which no released table holds all: the interaction is seen by nothing.
TEST(NetworkTablesEnumeration, MovesInACliqueThatNoTableHolds) {
  NetworkProblem problem = empty_network({2, 2, 2, 2}, {{}, {0}, {0}, {1, 2}}, 0.5);
  problem.total = KnownTotal{5};
  Rng rng(5, 0, Purpose::test);
  release_records(problem, draw_truth(problem, rng), 5, release::DiscreteLaplace(2), rng);
  expect_exact(problem);
}

// Cells with two values, with none, variables of one level, and one that nothing else knows of.
TEST(NetworkTablesEnumeration, TakesSeveralValuesOfACellAndNone) {
  for (const bool latent : {false, true}) {
    NetworkProblem problem = empty_network({2, 1, 2, 3}, {{}, {0}, {0, 1}, {}}, 0.7);
    problem.total = KnownTotal{5};
    if (latent) problem.total = LatentTotal{5, 0.2};
    Rng rng(6, latent ? 1 : 0, Purpose::test);
    const std::vector<double> truth = draw_truth(problem, rng);
    release_records(problem, truth, 4, release::DiscreteLaplace(0.6), rng);
    release_records(problem, truth, 4, release::DiscreteGaussian(3), rng);
    problem.families[0].noisy_values[1].clear();
    problem.families[2].noisy_values[0].clear();
    problem.families[3].noisy_values[0].pop_back();
    expect_exact(problem);
  }
}

}  // namespace
}  // namespace postern::infer
