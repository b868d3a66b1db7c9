#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/regression/chain.hpp"

#include "regression_problems.hpp"

// Released values that no records would give, or that tell nothing: an answer of numbers, and a wide one.

namespace postern::infer {
namespace {

void expect_numbers(const RegressionProblem& problem) {
  DriverOptions options;
  options.chains = 1;
  options.draws = 40;
  options.threads = 1;
  options.most_warmup = 2000;
  for (const ChainRun& run :
       {draw_regression(problem, options, {}), draw_plug_in_regression(problem, options, {})}) {
    for (const std::vector<double>& chain : run.draws) {
      ASSERT_EQ(chain.size(), options.draws * RegressionQuantities(problem).all);
      for (const double value : chain) ASSERT_TRUE(std::isfinite(value));
    }
  }
}

RegressionProblem problem_of(const std::vector<std::vector<double>>& rows, const MomentNoise& noise) {
  RegressionProblem problem;
  problem.features = rows.front().size() - 1;
  problem.prior = default_regression_prior(problem.features);
  problem.total = KnownTotal{static_cast<std::int64_t>(rows.size())};
  for (std::size_t i = 1; i < problem.width(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (const auto& row : rows) sum += row[i - 1] * (j == 0 ? 1 : row[j - 1]);
      problem.moments.push_back({i, j, sum, noise});
    }
  }
  return problem;
}

std::vector<std::vector<double>> rows(std::size_t n, const auto& make) {
  Rng rng(3, 0, Purpose::test);
  std::vector<std::vector<double>> out;
  for (std::size_t r = 0; r < n; ++r) out.push_back(make(rng));
  return out;
}

TEST(RegressionHostile, CollinearColumnsAndConstantTargets) {
  for (const double scale : {0.01, 1.0, 50.0}) {
    const MomentNoise noise{MomentNoise::Shape::laplace, scale};
    expect_numbers(problem_of(rows(200,
                                   [](Rng& rng) {
                                     const double x = 0.3 * draw_normal(rng);
                                     return std::vector<double>{x, x, -x, 0.2 + 0.5 * x};
                                   }),
                              noise));
    expect_numbers(problem_of(rows(200,
                                   [](Rng& rng) {
                                     return std::vector<double>{0.3 * draw_normal(rng), 0.5, 0.25};
                                   }),
                              noise));
    expect_numbers(problem_of(rows(200, [](Rng&) { return std::vector<double>{1, -1, 1}; }), noise));
  }
}

TEST(RegressionHostile, FewRecords) {
  for (const std::size_t n : {1, 2, 3, 5}) {
    const auto few = rows(n, [](Rng& rng) {
      return std::vector<double>{0.3 * draw_normal(rng), 0.1, 0.3 * draw_normal(rng), 0.2};
    });
    for (const double scale : {0.01, 1.0, 1e4})
      expect_numbers(problem_of(few, {MomentNoise::Shape::laplace, scale}));
  }
  RegressionProblem none = problem_of({{0, 0, 0}}, {MomentNoise::Shape::laplace, 3});
  none.total = KnownTotal{0};
  expect_numbers(none);
}

TEST(RegressionHostile, WildValues) {
  Rng rng(4, 0, Purpose::test);
  const auto expect = [&](double wild, MomentNoise::Shape shape, bool latent) {
    RegressionProblem problem = made_up_problem(1, 50, {shape, 5}, rng);
    if (latent) {
      problem.total = LatentTotal{1000};
      problem.moments.push_back({0, 0, 60, {shape, 5}});
    }
    double sign = 1;
    for (NoisyMoment& one : problem.moments) {
      one.value += sign * wild;
      sign = -sign;
    }
    expect_numbers(problem);
  };
  expect(1e4, MomentNoise::Shape::laplace, true);
  expect(1e9, MomentNoise::Shape::gaussian, false);
  expect(1e15, MomentNoise::Shape::laplace, false);
  expect(1e15, MomentNoise::Shape::gaussian, true);
}

TEST(RegressionHostile, RefusesPartsThatDoNotFit) {
  Rng rng(5, 0, Purpose::test);
  const RegressionProblem good = made_up_problem(2, 20, {MomentNoise::Shape::laplace, 1}, rng);
  RegressionProblem bad = good;
  bad.prior.scale.pop_back();
  EXPECT_ANY_THROW((void)draw_regression(bad, {}, {}));
  bad = good;
  bad.moments.front().i = 9;
  EXPECT_ANY_THROW((void)draw_regression(bad, {}, {}));
  bad = good;
  bad.moments.front().noise.scale = 0;
  EXPECT_ANY_THROW((void)draw_regression(bad, {}, {}));
}

// The seed settles the draws, whatever the number of threads.
TEST(RegressionChain, DrawsDoNotDependOnThreads) {
  Rng rng(6, 0, Purpose::test);
  const RegressionProblem problem = made_up_problem(2, 100, {MomentNoise::Shape::laplace, 4}, rng);
  DriverOptions options;
  options.draws = 50;
  options.threads = 1;
  const ChainRun one = draw_regression(problem, options, {});
  options.threads = 3;
  EXPECT_EQ(one.draws, draw_regression(problem, options, {}).draws);
}

}  // namespace
}  // namespace postern::infer
