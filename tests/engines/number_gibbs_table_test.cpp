#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/gibbs/bounded_table.hpp"
#include "postern/infer/kinds/table/problem.hpp"

#include "number_gibbs_support.hpp"

namespace postern::infer {
namespace {

CountProblem table(std::vector<double> alpha, const std::vector<double>& y, double b, std::int64_t n) {
  CountProblem problem{std::move(alpha), {}, KnownTotal{n}};
  for (const double value : y) problem.noisy_values.push_back({laplace(value, b)});
  return problem;
}

std::vector<MeanAndSd> summary(const CountProblem& problem, std::size_t draws) {
  DriverOptions options;
  options.draws = draws;
  const ChainRun run = draw_bounded_table(problem, options, {});
  std::vector<MeanAndSd> out;
  for (std::size_t q = 0; q * draws < run.draws[0].size(); ++q) {
    std::vector<double> values;
    for (const auto& chain : run.draws)
      values.insert(values.end(), chain.begin() + static_cast<std::ptrdiff_t>(q * draws),
                    chain.begin() + static_cast<std::ptrdiff_t>((q + 1) * draws));
    out.push_back(mean_and_sd(values));
  }
  return out;
}

// The counts stay counts in every sweep: none below 0, and their sum n to 1e-9 n. Dense, sparse,
// contradictory and one-sided tables; 50 cells of which most are empty force sweeps of pairs.
TEST(BoundedTable, CountsSumToNInEverySweep) {
  std::vector<double> sparse(50, 0.0);
  sparse[3] = 900;
  const CountProblem problems[] = {table({1, 1, 1}, {30, 45, 25}, 4, 100),
                                   table({0.5, 1, 2, 1}, {1e9, -1e9, 5, 5}, 2, 1000),
                                   table(std::vector<double>(50, 1.0), sparse, 20, 1000),
                                   table({1, 1}, {700'000'000, 3e8}, 1e4, 1'000'000'000),
                                   table({1e-3, 1e-3, 1e6}, {10, 10, 10}, 1, 30),
                                   table({1, 1, 1}, {0, 0, 0}, 1, 0)};
  for (const CountProblem& problem : problems) {
    const BoundedTable kernel(problem);
    Rng rng(20261116, 1, Purpose::test);
    BoundedTable::State state = kernel.init(rng);
    for (int i = 0; i < 2000; ++i) {
      kernel.step(state, rng);
      const double sum = std::accumulate(state.count.begin(), state.count.end(), 0.0);
      ASSERT_NEAR(sum, state.n, 1e-9 * state.n);
      for (std::size_t k = 0; k < kernel.cells(); ++k) {
        ASSERT_TRUE(state.count[k] >= 0 && std::isfinite(state.count[k]));
        ASSERT_TRUE(state.theta[k] >= 0 && state.theta[k] <= 1);
      }
    }
  }
}

// n = 2000, Laplace of scale 20, Dirichlet(1): the exact posterior by the enumeration of one count given the
// noise on both, K = 2, which is a coin.
TEST(BoundedTable, TwoCellsAreACoin) {
  const double n = 2000;
  double whole = 0;
  double mean = 0;
  double square = 0;
  for (double s = 0; s <= n; ++s) {
    const double w = std::exp(-(std::abs(640 - s) + std::abs(1330 - n + s)) / 20 + 50);
    const double share = (1 + s) / (2 + n);
    whole += w;
    mean += w * share;
    square += w * share * (2 + s) / (3 + n);
  }
  mean /= whole;
  const double sd = std::sqrt(square / whole - mean * mean);
  const std::vector<MeanAndSd> found = summary(table({1, 1}, {640, 1330}, 20, 2000), 20'000);
  EXPECT_NEAR(found[0].mean, mean, 0.03 * sd);
  EXPECT_NEAR(found[0].sd / sd, 1, 0.03);
  EXPECT_NEAR(found[1].mean, 1 - mean, 0.03 * sd);
}

// Counts of three cells, one of them not seen, one seen twice, by the exact engine.
TEST(BoundedTable, AgreesWithTheExactEngine) {
  CountProblem problem = table({2, 3, 4}, {210, 480, 300}, 15, 1000);
  problem.noisy_values[2].clear();
  problem.noisy_values[0].push_back(gaussian(225, 300));
  const CountPosterior exact(problem, std::size_t{1} << 28, 1);
  const std::vector<MeanAndSd> found = summary(problem, 10'000);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k].mean, exact.mean(k), 0.05 * exact.sd(k)) << k;
    EXPECT_NEAR(found[k].sd / exact.sd(k), 1, 0.05) << k;
  }
}

TEST(BoundedTable, LatentNumberOfRecordsAgreesWithTheExactEngine) {
  CountProblem problem = table({1, 1, 1}, {310, 480, 200}, 15, 0);
  problem.total = LatentTotal{3000};
  const CountPosterior exact(problem, std::size_t{1} << 28, 1);
  const std::vector<MeanAndSd> found = summary(problem, 10'000);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k].mean, exact.mean(k), 0.06 * exact.sd(k)) << k;
    EXPECT_NEAR(found[k].sd / exact.sd(k), 1, 0.05) << k;
  }
  EXPECT_NEAR(found[3].mean, exact.total().mean, 0.06 * exact.total().sd);
  EXPECT_NEAR(found[3].sd / exact.total().sd, 1, 0.05);
}

TEST(BoundedTable, WithoutNoiseItIsConjugateAndWithoutASightThePrior) {
  const std::vector<MeanAndSd> sharp = summary(table({1, 2, 3}, {200, 300, 500}, 1e-6, 1000), 10'000);
  const std::vector<MeanAndSd> blind = summary(table({5, 5, 10}, {10, 0, 90}, 1e6, 100), 10'000);
  const double posterior[] = {201, 302, 503};
  const double prior[] = {5, 5, 10};
  const auto sd = [](double a, double whole) {
    return std::sqrt(a * (whole - a) / (whole * whole * (whole + 1)));
  };
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(sharp[k].mean, posterior[k] / 1006, 0.04 * sd(posterior[k], 1006));
    EXPECT_NEAR(sharp[k].sd / sd(posterior[k], 1006), 1, 0.03);
    EXPECT_NEAR(blind[k].mean, prior[k] / 20, 0.06 * sd(prior[k], 20));
    EXPECT_NEAR(blind[k].sd / sd(prior[k], 20), 1, 0.04);
  }
}

}  // namespace
}  // namespace postern::infer
