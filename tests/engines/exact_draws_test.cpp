#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"

// Draws fit the exact marginals: chi-square at 1e-6 a test, 20,000 draws, fixed seeds.

namespace postern::infer {
namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;
constexpr double kAlpha = 1e-6;
constexpr int kDraws = 20'000;

/// P(chi-square >= the statistic of these counts), neighbouring outcomes merged until each bin expects 20.
double fit(const std::map<std::int64_t, int>& seen, const std::function<double(std::int64_t)>& probability,
           std::int64_t lo, std::int64_t hi) {
  double statistic = 0;
  double bins = 0;
  double expected = 0;
  double observed = 0;
  double expected_in_all = 0;
  double observed_in_all = 0;
  for (std::int64_t x = lo; x <= hi; ++x) {
    const auto at = seen.find(x);
    expected += kDraws * probability(x);
    observed += at == seen.end() ? 0 : at->second;
    if (expected < 20) continue;
    statistic += (observed - expected) * (observed - expected) / expected;
    expected_in_all += expected;
    observed_in_all += observed;
    bins += 1;
    expected = observed = 0;
  }
  const double rest = kDraws - expected_in_all;
  const double seen_rest = kDraws - observed_in_all;
  if (rest > 1e-6 * kDraws) {
    statistic += (seen_rest - rest) * (seen_rest - rest) / std::max(rest, 1.0);
    bins += 1;
  } else if (seen_rest > 0.5) {
    return 0;  // draws where there is no probability
  }
  return bins > 1 ? chi_square_tail(statistic, bins - 1) : 1;
}

CountProblem laplace_problem(std::vector<double> alpha, const std::vector<double>& y, double scale) {
  CountProblem problem;
  problem.alpha = std::move(alpha);
  for (const double value : y) problem.noisy_values.push_back({{value, release::DiscreteLaplace(1 / scale)}});
  return problem;
}

void expect_draws_fit(const CountProblem& problem, std::int64_t most) {
  const CountPosterior posterior(problem, kMemory, 1);
  const std::size_t cells = posterior.cells();
  std::vector<std::map<std::int64_t, int>> counts(cells);
  std::vector<std::map<std::int64_t, int>> ranks(cells);
  std::map<std::int64_t, int> totals;
  std::vector<double> theta(cells);
  std::vector<std::int64_t> s(cells);
  Rng rng(11, 0, Purpose::draws);
  for (int i = 0; i < kDraws; ++i) {
    const std::int64_t n = posterior.draw(theta, s, rng);
    std::int64_t sum = 0;
    double all = 0;
    for (std::size_t k = 0; k < cells; ++k) {
      ++counts[k][s[k]];
      sum += s[k];
      all += theta[k];
      ASSERT_GE(theta[k], 0);
    }
    ASSERT_EQ(sum, n);
    ASSERT_NEAR(all, 1, 1e-12);
    ++totals[n];
    if (i % 10 == 0) {
      for (std::size_t k = 0; k < cells; ++k) {
        ranks[k][static_cast<std::int64_t>(20 * posterior.cdf(k, theta[k]))] += 10;
      }
    }
  }
  EXPECT_GT(fit(
                totals, [&](std::int64_t n) { return posterior.total_probability(n); }, 0, most),
            kAlpha);
  for (std::size_t k = 0; k < cells; ++k) {
    SCOPED_TRACE(k);
    EXPECT_GT(fit(
                  counts[k], [&](std::int64_t x) { return posterior.count_probability(k, x); }, 0, most),
              kAlpha);
    // Every tenth draw, so the statistic of the tenfold counts is ten times too large.
    double statistic = 0;
    for (std::int64_t bin = 0; bin < 20; ++bin) {
      const double expected = kDraws / 200.0;
      const double observed = ranks[k][bin] / 10.0;
      statistic += (observed - expected) * (observed - expected) / expected;
    }
    EXPECT_GT(chi_square_tail(statistic, 19), kAlpha);
  }
}

TEST(ExactDraws, FitTheMarginalsWhenNIsKnown) {
  CountProblem problem = laplace_problem({1, 0.5, 2, 1, 3}, {40, 3, 22, -4, 31}, 6);
  problem.total = KnownTotal{100};
  expect_draws_fit(problem, 100);
}

TEST(ExactDraws, FitTheMarginalsWhenNIsLatent) {
  CountProblem problem = laplace_problem({1, 0.5, 2, 1}, {20, 3, 12, -4}, 5);
  problem.total = LatentTotal{60};
  expect_draws_fit(problem, 60);
}

TEST(ExactDraws, FitTheMarginalsWhenValuesContradictN) {
  CountProblem problem = laplace_problem({1, 1, 1}, {90, 80, 70}, 2);
  problem.total = KnownTotal{60};
  expect_draws_fit(problem, 60);
}

TEST(ExactDraws, FitTheMarginalsOfTwoPeaks) {
  CountProblem problem = laplace_problem({0.02, 0.02, 0.02}, {15, 12, 14}, 6);
  problem.total = KnownTotal{40};
  expect_draws_fit(problem, 40);
}

}  // namespace
}  // namespace postern::infer
