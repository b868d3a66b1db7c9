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

/// The unknowns of moments that records have. @pre as many records as w has entries
std::vector<double> unknowns_of(const MadeUpRecords& records, const MomentTarget& target) {
  Matrix root(target.width());
  for (std::size_t i = 0; i < target.width(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) root(i, j) = records.at(i, j);
  }
  EXPECT_TRUE(factorise(root, target.width()));
  std::vector<double> q;
  for (const auto [i, j] : target.places()) {
    const double value = root(i, j) / root(0, 0);
    q.push_back(i == j ? std::log(value) : value);
  }
  return q;
}

// Where nothing was seen, the density is that of records of the prior, up to a constant C that is the same
// for every n: the mean of h(q) / density(q) over such records is 1 / C for any law h. Without the factor of
// the bounds, which cancels.
TEST(RegressionTarget, DensityHasOneConstantForAllN) {
  constexpr int kRecords = 20'000;
  Rng rng(3, 0, Purpose::test);
  for (const std::size_t features : {1, 2}) {
    RegressionProblem problem;
    problem.features = features;
    problem.prior = centred_prior(features);
    problem.total = LatentTotal{1000};
    const MomentTarget target(problem);
    MomentWorkspace work(target.width());
    std::vector<double> means, errors;
    for (const std::int64_t n : {5, 8, 20, 60}) {
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < kRecords; ++i) {
        const std::vector<double> q = unknowns_of(draw_records(problem.prior, n, rng), target);
        double log_weight = 0;
        for (std::size_t u = 0; u < q.size(); ++u) {
          const double z = (q[u] - (target.places()[u].diagonal() ? std::log(0.35) : 0)) / 0.2;
          log_weight -= 0.5 * z * z;
        }
        const double density = target.log_density(q, static_cast<double>(n), work);
        if (density == -HUGE_VAL) continue;
        for (std::size_t k = 1; k < target.width(); ++k)
          log_weight += 0.5 * std::log(1 - work.moments(k, k) / static_cast<double>(n));
        const double weight = std::exp(log_weight - density);
        sum += weight / kRecords;
        squares += weight * weight / kRecords;
      }
      means.push_back(sum);
      errors.push_back(std::sqrt((squares - sum * sum) / kRecords));
    }
    for (std::size_t k = 1; k < means.size(); ++k)
      EXPECT_NEAR(means[k] / means[0], 1, 5 * std::hypot(errors[0], errors[k]) / means[0]) << k;
  }
}

}  // namespace
}  // namespace postern::infer
