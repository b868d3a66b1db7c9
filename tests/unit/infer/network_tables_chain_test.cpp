// What the chain on tables promises besides its law: consistent tables, the same draws for any threads,
// interrupts, refusals; and the plug-in baseline.

#include <stop_token>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/network/plug_in.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network/tables/tables_kernel.hpp"
#include "network_tables_support.hpp"

namespace postern::infer {
namespace {

NetworkProblem loops(bool latent) {
  NetworkProblem problem = empty_network({2, 3, 2, 2, 3, 2}, {{}, {0}, {0}, {1, 2}, {3, 0}, {4, 3}}, 0.5);
  problem.total = KnownTotal{200};
  if (latent) problem.total = LatentTotal{300, 0};
  Rng rng(1, 0, Purpose::test);
  release_records(problem, draw_truth(problem, rng), 200, release::DiscreteLaplace(0.2), rng);
  return problem;
}

TEST(NetworkTablesChain, KeepsAllTablesMarginsOfOneDataSet) {
  for (const bool latent : {false, true}) {
    const NetworkTarget target = NetworkTarget::make(loops(latent), 1, 1, {});
    const TablesKernel kernel(target);
    Rng rng(2, 0, Purpose::test);
    TablesKernel::State state = kernel.init(rng);
    for (int i = 0; i < 300; ++i) {
      kernel.step(state, rng);
      std::vector<std::int64_t> summed = state.tables.counts;
      target.tables().sum_cliques(summed);
      ASSERT_EQ(summed, state.tables.counts);
      ASSERT_GE(*std::min_element(summed.begin(), summed.end()), 0);
      const std::int64_t n = summed[target.tables().total()];
      ASSERT_TRUE(latent ? n <= 300 : n == 200);
    }
  }
}

TEST(NetworkTablesChain, DoesNotDependOnThreads) {
  DriverOptions options;
  options.draws = 50;
  options.threads = 1;
  const ChainRun one = draw_network_tables(loops(true), options, {});
  options.threads = 4;
  EXPECT_EQ(one.draws, draw_network_tables(loops(true), options, {}).draws);
}

TEST(NetworkTablesChain, CanBeInterrupted) {
  std::stop_source source;
  source.request_stop();
  try {
    (void)draw_network_tables(loops(false), {}, {source.get_token(), {}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

TEST(NetworkTablesChain, RowsAreProbabilities) {
  const NetworkProblem problem = loops(false);
  DriverOptions options;
  options.draws = 5;
  const ChainRun run = draw_network_tables(problem, options, {});
  std::size_t q = 0;
  for (std::size_t v = 0; v < problem.sizes.size(); ++v) {
    for (std::size_t row = 0; row < problem.families[v].alpha.size(); row += problem.sizes[v]) {
      double sum = 0;
      for (std::size_t k = 0; k < problem.sizes[v]; ++k, ++q) sum += run.draws[0][q * options.draws];
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

// Any two of 26 variables have a child: one clique of 3^26 cells.
TEST(NetworkTablesChain, RefusesByNameWhatDoesNotFit) {
  Parents parents(26);
  for (std::uint32_t v = 0; v < 26; ++v) {
    for (std::uint32_t u = 0; u < v; ++u) parents.push_back({u, v});
  }
  NetworkProblem problem = empty_network(std::vector<std::uint32_t>(parents.size(), 3), parents, 0.5);
  problem.total = KnownTotal{100};
  std::vector<std::string> names;
  for (std::size_t v = 0; v < parents.size(); ++v) names.push_back("column" + std::to_string(v));
  const graph::Forecast forecast = forecast_network_tables(problem, 4);
  EXPECT_GT(forecast.bytes, kNetworkTablesBytes);
  EXPECT_EQ(forecast.largest.front().size(), 26u);
  try {
    (void)draw_network_tables(problem, {}, {}, names);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit);
    EXPECT_NE(std::string(error.what()).find("column0 (3)"), std::string::npos) << error.what();
  }
}

TEST(NetworkTablesChain, TakesNoRecordsAndBeginsFarAway) {
  NetworkProblem none = loops(false);
  none.total = KnownTotal{0};
  DriverOptions options;
  options.draws = 20;
  EXPECT_EQ(draw_network_tables(none, options, {}).draws.size(), 4u);
  NetworkProblem absurd = loops(true);
  for (NetworkFamily& family : absurd.families) family.noisy_values[0][0].y = 1e15;
  for (const auto& chain : draw_network_tables(absurd, options, {}).draws) {
    for (const double x : chain) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(NetworkTablesPotentials, AreRatiosOfGammaFunctionsAndNoise) {
  CellPotentials potentials(2);
  potentials.add_gamma(0, 1, -1);
  potentials.add_gamma(0, 0.5, 1);
  const std::vector<NoisyValue> seen{{5, release::DiscreteLaplace(0.3)},
                                     {-4, release::DiscreteLaplace(0.1)},
                                     {9, release::DiscreteGaussian(4)}};
  potentials.add_noise(0, seen, 1'000'000);
  potentials.finish(1'000'000);
  EXPECT_TRUE(potentials.silent(1));
  const auto direct = [&](double c) {
    double sum = log_gamma(c + 0.5) - log_gamma(c + 1);
    for (const NoisyValue& value : seen) sum += release::log_pmf(value.law, value.y - c);
    return sum;
  };
  for (const auto& [from, to] : {std::pair{0, 3}, {12, 4}, {3, 200'000}, {300'000, 299'000}}) {
    const double expected = direct(to) - direct(from);
    EXPECT_NEAR(potentials.log_ratio(0, from, to), expected, 1e-9 * std::max(1.0, std::abs(expected)));
  }
}

TEST(NetworkPlugIn, TakesClippedValuesForCounts) {
  NetworkProblem problem = empty_network({2, 2}, {{}, {0}}, 0.5);
  problem.total = KnownTotal{10};
  const release::NoiseLaw law = release::DiscreteLaplace(1);
  problem.families[0].noisy_values[1] = {{7, law}};
  problem.families[1].noisy_values = {{{-3, law}}, {{12, law}}, {{2, law}, {4, law}}, {}};
  const auto weights = plug_in(problem);
  EXPECT_EQ(weights[0], (std::vector<double>{3.5, 7.5}));
  EXPECT_EQ(weights[1], (std::vector<double>{0.5, 10.5, 3.5, 0.5}));
  DriverOptions options;
  options.draws = 4000;
  const ChainRun run = draw_network_plug_in(problem, options, {});
  const QuantityDraws first(run, 1, options.draws);
  EXPECT_NEAR(first.mean([](double x) { return x; }), 7.5 / 11, 6 * 0.135 / std::sqrt(16000));
}

TEST(NetworkPlugIn, EstimatesAPrivateN) {
  NetworkProblem problem = empty_network({2, 2}, {{}, {0}}, 0.5);
  problem.total = LatentTotal{100, 0};
  problem.families[0].noisy_values = {{{30, release::DiscreteGaussian(1)}},
                                      {{20, release::DiscreteGaussian(1)}}};
  EXPECT_EQ(plug_in_total(problem), 50);
  problem.families[0].noisy_values[0][0].y = 300;
  EXPECT_EQ(plug_in_total(problem), 100);
}

}  // namespace
}  // namespace postern::infer
