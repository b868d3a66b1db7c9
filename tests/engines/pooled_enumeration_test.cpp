#include <string>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"

#include "pooled_support.hpp"

// The chains against the sum over all tables, on small problems: every mean within its bound at
// 1e-6, 4 chains of 3000 kept draws.

namespace postern::infer {
namespace {

enum class Totals { known, latent };
enum class Made { here, elsewhere };

release::NoiseLaw random_law(Rng& rng) {
  const double scale = std::exp(4 * rng.uniform() - 2);  // 0.13 .. 7.4
  if (rng.uniform() < 0.5) return release::DiscreteLaplace(1 / scale);
  return release::DiscreteGaussian(scale * scale);
}

/// 1 to 3 cells, 1 to 3 datasets, 0 to 2 noisy values a cell, n up to 4, alpha from 0.05 to 20, values that
/// may contradict n.
PooledCounts random_problem(Totals totals, std::uint32_t number, Made made = Made::here) {
  Rng rng(41, number, Purpose::test);
  const std::size_t cells = number == 0 ? 1 : 2 + draw_below(2, rng);
  const std::size_t datasets = cells == 3 ? 1 + draw_below(2, rng) : 1 + draw_below(3, rng);
  PooledCounts problem;
  for (std::size_t k = 0; k < cells; ++k) {
    problem.alpha.push_back(std::exp(6 * rng.uniform() - 3));
    problem.reported.push_back(k);
  }
  for (std::size_t d = 0; d < datasets; ++d) {
    CountProblem& data = problem.datasets.emplace_back();
    const auto most = static_cast<std::int64_t>(draw_below(5, rng));
    for (std::size_t k = 0; k < cells; ++k) {
      auto& noisy_values = data.noisy_values.emplace_back();
      for (std::uint64_t j = draw_below(3, rng); j > 0; --j)
        noisy_values.push_back({std::floor(12 * rng.uniform()) - 4, random_law(rng)});
      if (made == Made::here) continue;
      for (NoisyValue& value : noisy_values) value = made_elsewhere(value, number + k);
    }
    if (totals == Totals::known) {
      data.total = KnownTotal{most};
    } else {
      data.total = LatentTotal{most, rng.uniform() < 0.5 ? 0.0 : rng.uniform() - 0.5};
    }
  }
  return problem;
}

void expect_within(const Estimate& got, double truth, const std::string& what) {
  EXPECT_NEAR(got.mean, truth, got.reach) << what;
}

void expect_listed(const PooledCounts& problem, Totals totals, std::uint32_t number) {
  const auto identity = [](double x) { return x; };
  const auto square = [](double x) { return x * x; };
  const PooledEnumeration truth(problem);
  DriverOptions options;
  options.draws = 3000;
  options.seed = 100 + number;
  const ChainRun run = draw_pooled_counts(problem, options, {});
  for (std::size_t k = 0; k < problem.alpha.size(); ++k) {
    const auto chains = chains_of(run, k, options.draws);
    expect_within(estimate(chains, 1, identity), truth.mean(k), "theta " + std::to_string(k));
    expect_within(estimate(chains, 1, square), truth.square(k), "theta squared " + std::to_string(k));
  }
  for (std::size_t d = 0; totals == Totals::latent && d < problem.datasets.size(); ++d) {
    const auto chains = chains_of(run, problem.alpha.size() + d, options.draws);
    expect_within(estimate(chains, 4, identity), truth.total(d), "n " + std::to_string(d));
    expect_within(estimate(chains, 16, square), truth.total_square(d), "n squared " + std::to_string(d));
  }
}

class PooledEqualsEnumeration : public testing::TestWithParam<Totals> {};

TEST_P(PooledEqualsEnumeration, OnRandomSmallProblems) {
  for (std::uint32_t number = 0; number < 24; ++number) {
    SCOPED_TRACE(number);
    expect_listed(random_problem(GetParam(), number), GetParam(), number);
  }
}

TEST_P(PooledEqualsEnumeration, WithContinuousNoiseAndBands) {
  for (std::uint32_t number = 0; number < 4; ++number) {
    SCOPED_TRACE(number);
    expect_listed(random_problem(GetParam(), number, Made::elsewhere), GetParam(), number);
  }
}

INSTANTIATE_TEST_SUITE_P(Small, PooledEqualsEnumeration, testing::Values(Totals::known, Totals::latent));

// Sharp values that together pass the bound on n: the best table lies on the bound, where no cell can
// change alone. Chains without moves of two cells at once settle anywhere on it.
TEST(PooledEqualsEnumeration, WhereSharpValuesPassTheBoundOnN) {
  const auto identity = [](double x) { return x; };
  struct Setting {
    std::vector<double> alpha;
    std::vector<std::vector<double>> y;  ///< per dataset
    std::int64_t most;
  };
  for (const Setting& setting :
       {Setting{{60, 46}, {{14, 60}, {60, -5}}, 30}, Setting{{30, 50, 32, 27}, {{60, 30, -5, 30}}, 12},
        Setting{{30, 39, 53}, {{500, 1000, 0}}, 5}}) {
    PooledCounts problem;
    problem.alpha = setting.alpha;
    for (std::size_t k = 0; k < setting.alpha.size(); ++k) problem.reported.push_back(k);
    for (const auto& values : setting.y) {
      CountProblem& data = problem.datasets.emplace_back();
      for (const double y : values) data.noisy_values.push_back({{y, release::DiscreteGaussian(0.01)}});
      data.total = LatentTotal{setting.most};
    }
    const PooledEnumeration truth(problem);
    DriverOptions options;
    options.draws = 3000;
    const ChainRun run = draw_pooled_counts(problem, options, {});
    for (std::size_t k = 0; k < setting.alpha.size(); ++k) {
      expect_within(estimate(chains_of(run, k, options.draws), 1, identity), truth.mean(k),
                    "theta " + std::to_string(k));
    }
  }
}

// These tests can see a slip: without the factor n! (exact/count_posterior.md) the number of records differs.
TEST(PooledEqualsEnumeration, WouldSeeTheFactorOfNMissing) {
  PooledCounts problem;
  problem.alpha = {1, 1, 1};
  problem.reported = {0};
  CountProblem data;
  for (const double y : {2.0, 0.0, 1.0}) data.noisy_values.push_back({{y, release::DiscreteLaplace(0.5)}});
  data.total = LatentTotal{4};
  problem.datasets = {data, data};
  const double truth = PooledEnumeration(problem).total(0);
  // e^{slope n} with slope -1 is about what dropping n! does on 0..4.
  for (CountProblem& d : problem.datasets) d.total = LatentTotal{4, -1};
  DriverOptions options;
  const ChainRun run = draw_pooled_counts(problem, options, {});
  const Estimate got = estimate(chains_of(run, 1, options.draws), 4, [](double x) { return x; });
  EXPECT_GT(std::abs(got.mean - truth), 2 * got.reach);
}

}  // namespace
}  // namespace postern::infer
