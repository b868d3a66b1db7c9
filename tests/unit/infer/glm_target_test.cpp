#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"

#include "glm/kernel.hpp"
#include "glm/slope_error.hpp"
#include "glm/target.hpp"
#include "glm_problems.hpp"

namespace postern::infer {
namespace {

/// The gradient against central differences near where chains start.
void expect_exact_gradient(const GlmProblem& problem, double n, Rng& rng) {
  const GlmTarget target(problem);
  MomentWorkspace work(target.width());
  std::vector<double> q = find_glm_start(target, {}).q;
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
                1e-4 * (1 + std::abs(slope[u])) + 1e-9 * std::abs(density) / kStep)
        << u;
  }
}

TEST(GlmTarget, GradientIsThatOfFiniteDifferences) {
  Rng rng(1, 0, Purpose::test);
  for (const double most : {0.0, 6.0, 300.0}) {
    for (const std::size_t features : {1, 2, 5}) {
      for (const std::int64_t n : {10, 1000}) {
        for (const auto shape : {MomentNoise::Shape::laplace, MomentNoise::Shape::gaussian}) {
          GlmProblem problem = blank_glm(features, {most});
          see_records(problem, n, {shape, 3.7}, rng);
          expect_exact_gradient(problem, static_cast<double>(n), rng);
        }
      }
    }
  }
}

TEST(GlmTarget, KnowsALatentN) {
  Rng rng(2, 0, Purpose::test);
  GlmProblem problem = blank_glm(3, {});
  see_records(problem, 50, {MomentNoise::Shape::laplace, 2}, rng);
  problem.sums.total = LatentTotal{1000};
  problem.sums.moments.push_back({0, 0, 51, {MomentNoise::Shape::laplace, 2}});
  expect_exact_gradient(problem, 50, rng);
  expect_exact_gradient(problem, 47, rng);
}

// Strong effects and hardly any noise: chains that begin far from the sums do not find back.
TEST(GlmStart, HasTheSumsThatWerePublished) {
  Rng rng(3, 0, Purpose::test);
  constexpr double kNoise = 0.01;
  for (const double most : {0.0, 40.0}) {
    for (int i = 0; i < 5; ++i) {
      GlmProblem problem = blank_glm(2, {most});
      problem.slope_sd *= 3;
      see_records(problem, 5000, {MomentNoise::Shape::laplace, kNoise}, rng);
      const GlmTarget target(problem);
      MomentWorkspace work(target.width());
      ASSERT_TRUE(std::isfinite(target.log_density(find_glm_start(target, {}).q, 5000, work)));
      for (const NoisyMoment& one : problem.sums.moments)
        EXPECT_NEAR(work.moments(std::max(one.i, one.j), std::min(one.i, one.j)), one.value, 100 * kNoise)
            << one.i << ' ' << one.j;
    }
  }
}

// E[y], E[y^2] of a clamped count and their slopes, against sums over all counts.
TEST(MeanFunction, IsThatOfAClampedCount) {
  for (const double most : {2.0, 7.0, 40.0}) {
    const MeanFunction function({most});
    for (double a = -6; a <= 6; a += 0.37) {
      double mean = 0;
      double square = 0;
      double mass = std::exp(-std::exp(a));
      for (double count = 0; count < 3000; ++count) {
        const double y = 2 * std::min(count, most) / most - 1;
        mean += mass * y;
        square += mass * y * y;
        mass *= std::exp(a) / (count + 1);
      }
      const MeanFunction::At at = function.at(a);
      EXPECT_NEAR(at.mean, mean, 1e-6);
      EXPECT_NEAR(at.square, square, 1e-6);
      EXPECT_NEAR(at.mean_slope, (function.at(a + 1e-5).mean - function.at(a - 1e-5).mean) / 2e-5, 1e-6);
    }
  }
}

// What is left of y, y x and y u once the sums of products of features are given, against records.
TEST(PredictorLaw, LeavesWhatRecordsLeave) {
  const MeanFunction function({});
  const TargetMoments moments = target_moments(function, 0.6, 1.4);
  const Leftover left = leftover(moments, {});
  Rng rng(3, 0, Purpose::test);
  constexpr int kRecords = 400'000;
  double first = 0, cross = 0, second = 0, other = 0, mean = 0;
  const double m0 = moments.mean[0].value, m1 = moments.mean[1].value, m2 = moments.mean[2].value,
               m3 = moments.mean[3].value;
  for (int i = 0; i < kRecords; ++i) {
    const double x = draw_normal(rng);
    const double u = draw_normal(rng);
    const double y = draw_target({}, 0.6 + 1.4 * x, rng);
    const double y0 = y - m0 - m1 * x - 0.5 * (m2 - m0) * (x * x - 1);
    const double y1 = y * x - m1 - m2 * x - 0.5 * (m3 - m1) * (x * x - 1);
    const double yu = y * u - m0 * u - m1 * x * u;
    mean += y / kRecords;
    first += y0 * y0 / kRecords;
    cross += y0 * y1 / kRecords;
    second += y1 * y1 / kRecords;
    other += yu * yu / kRecords;
  }
  EXPECT_NEAR(mean, m0, 0.01);
  EXPECT_NEAR(first, left.first.value, 0.01);
  EXPECT_NEAR(cross, left.cross.value, 0.01);
  EXPECT_NEAR(second, left.second.value, 0.01);
  EXPECT_NEAR(other, left.other.value, 0.01);
}

/// Sums of one record in n of a single feature with this mean and variance.
Matrix sums_of(double mean, double variance) {
  Matrix out(3);
  out(0, 0) = 1;
  out(1, 0) = mean;
  out(1, 1) = variance + mean * mean;
  return out;
}

// The slope of y on a feature that is uniform, or a coin, is off by what is said: to first order.
TEST(SlopeError, IsThatOfAnotherLaw) {
  const MeanFunction function({});
  for (const bool indicator : {false, true}) {
    GlmProblem problem = blank_glm(1, {});
    problem.indicators = {indicator};
    const double mean = indicator ? 0.5 : 0;
    const double sd = indicator ? 0.5 : std::sqrt(1.0 / 3);
    for (const double slope : {0.5, 1.0, 1.6}) {
      const std::vector<double> theta{0.2 - slope * mean, slope};
      const std::vector<double> t{0.2, slope * sd};
      double truth = 0;
      constexpr int kPoints = 2000;
      for (int i = 0; i < kPoints; ++i) {
        const double x = indicator ? (i % 2 == 0 ? 1 : -1) : std::sqrt(3.0) * (2 * (i + 0.5) / kPoints - 1);
        truth += x * function.at(0.2 + slope * sd * x).mean / kPoints;
      }
      const double normal = target_moments(function, 0.2, slope * sd).mean[1].value;
      const double found = slope_error(problem, function, sums_of(mean, sd * sd), 1, t, theta);
      EXPECT_GT(found, 0);
      EXPECT_NEAR(found, truth / normal - 1, 0.4 * (truth / normal - 1) + 1e-3) << indicator << slope;
    }
  }
}

// What is added to variances: nothing to features that are normal, more to one strong feature than to many.
TEST(SlopeError, OneStrongFeatureIsFartherFromNormalThanMany) {
  GlmProblem one = blank_glm(1, {});
  one.indicators = {true};
  const NonNormality alone = non_normality(one, sums_of(0.2, 0.16), 1, std::vector<double>{0, 1});
  GlmProblem many = blank_glm(2, {});
  many.indicators = {true, true};
  Matrix sums(4);
  for (const std::size_t i : {1, 2}) sums(i, 0) = sums(i, i) = 0.2;
  const NonNormality shared = non_normality(many, sums, 1, std::vector<double>{0, 1, 1});
  EXPECT_GT(alone.third, 1.9 * shared.third);
  EXPECT_GT(shared.third, 0);
  EXPECT_GT(alone.fourth, 3.9 * shared.fourth);
}

TEST(SlopeError, ItsSlopesAreThoseOfFiniteDifferences) {
  GlmProblem problem = blank_glm(3, {});
  problem.indicators = {true, false, true};
  Matrix sums(5);
  for (const std::size_t i : {1, 2, 3}) sums(i, 0) = 0.2 * static_cast<double>(i) - 0.1;
  sums(1, 1) = 0.1;
  sums(2, 2) = 0.4;
  sums(3, 3) = 0.5;
  std::vector<double> theta{0.3, 0.8, -1.4, 2.1};
  std::vector<double> slope(4);
  add_non_normality_slope(problem, sums, 1, theta, {2, 5}, slope);
  const auto value = [&] {
    const NonNormality found = non_normality(problem, sums, 1, theta);
    return 2 * found.third + 5 * found.fourth;
  };
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double at = theta[i];
    theta[i] = at + 1e-6;
    const double above = value();
    theta[i] = at - 1e-6;
    const double below = value();
    theta[i] = at;
    EXPECT_NEAR((above - below) / 2e-6, slope[i], 1e-7) << i;
  }
}

}  // namespace
}  // namespace postern::infer
