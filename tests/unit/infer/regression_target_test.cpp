#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"

#include "regression/start.hpp"
#include "regression/target.hpp"
#include "regression_problems.hpp"

namespace postern::infer {
namespace {

/// The gradient against central differences at random points near plausible ones.
void expect_exact_gradient(const RegressionProblem& problem, double n, Rng& rng) {
  const MomentTarget target(problem);
  MomentWorkspace work(target.width());
  std::vector<double> q = plausible_moments(target, n);
  for (double& one : q) one = 0.8 * one + 0.02 * draw_normal(rng);
  std::vector<double> slope(q.size());
  const double density = target.gradient(q, n, work, slope);
  ASSERT_TRUE(std::isfinite(density));
  EXPECT_EQ(density, target.log_density(q, n, work));
  for (std::size_t u = 0; u < q.size(); ++u) {
    constexpr double kStep = 1e-6;
    const double at = q[u];
    q[u] = at + kStep;
    const double above = target.log_density(q, n, work);
    q[u] = at - kStep;
    const double below = target.log_density(q, n, work);
    q[u] = at;
    EXPECT_NEAR((above - below) / (2 * kStep), slope[u],
                1e-5 * (1 + std::abs(slope[u])) + 1e-9 * std::abs(density) / kStep);
  }
}

TEST(RegressionTarget, GradientIsThatOfFiniteDifferences) {
  Rng rng(1, 0, Purpose::test);
  for (const std::size_t features : {1, 2, 3, 6}) {
    for (const std::int64_t n : {2, 5, 40, 1000}) {
      for (const auto shape : {MomentNoise::Shape::laplace, MomentNoise::Shape::gaussian}) {
        RegressionProblem problem = made_up_problem(features, n, {shape, 3.7}, rng);
        expect_exact_gradient(problem, static_cast<double>(n), rng);
        problem.public_moments = std::vector<double>(problem.width() * problem.width());
        for (std::size_t i = 0; i < problem.width(); ++i)
          problem.public_moments[i * problem.width() + i] = i == 0 ? 9 : 2.5;
        expect_exact_gradient(problem, static_cast<double>(n), rng);
      }
    }
  }
}

TEST(RegressionTarget, GradientKnowsCombinedMomentsAndALatentN) {
  Rng rng(2, 0, Purpose::test);
  RegressionProblem problem = made_up_problem(3, 50, {MomentNoise::Shape::laplace, 2}, rng);
  problem.total = LatentTotal{1000};
  problem.moments[2].weight = -0.5;
  problem.moments.push_back({2, 2, 0.3, {MomentNoise::Shape::gaussian, 0.7}, -1, 2, 0});
  expect_exact_gradient(problem, 50, rng);
  expect_exact_gradient(problem, 47, rng);
}

}  // namespace
}  // namespace postern::infer
