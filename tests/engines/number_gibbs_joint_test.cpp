#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

#include "number_gibbs_support.hpp"

namespace postern::infer {
namespace {

std::vector<double> quantity(const ChainRun& run, std::size_t q, std::size_t draws) {
  std::vector<double> out;
  for (const auto& chain : run.draws)
    out.insert(out.end(), chain.begin() + static_cast<std::ptrdiff_t>(q * draws),
               chain.begin() + static_cast<std::ptrdiff_t>((q + 1) * draws));
  return out;
}

TEST(JointSquares, SameDrawsForAnyNumberOfThreads) {
  NumberProblem problem = number_problem("normal", {}, real_column(-3, 3, Rational("1/20")), {0, 2, 4, 3});
  problem.total = KnownTotal{1000};
  problem.sums = {laplace(2000, 200), gaussian(2100, 9e4)};
  problem.square_sums = {laplace(400'000, 4900)};
  DriverOptions options;
  options.draws = 100;
  options.threads = 1;
  const ChainRun one = draw_joint_squares({problem}, options, {});
  options.threads = 4;
  EXPECT_EQ(draw_joint_squares({problem}, options, {}).draws, one.draws);
}

TEST(JointSquares, WithoutNoiseAndWithWideBoundsItIsConjugate) {
  NumberProblem problem =
      number_problem("normal", {}, real_column(-50, 50, Rational("1/100")), {0.5, 2, 3, 1.5});
  problem.total = KnownTotal{400};
  problem.sums = {laplace(280 * 100, 1e-3)};
  problem.square_sums = {gaussian(480 * 1e4, 1e-3)};
  DriverOptions options;
  options.draws = 25'000;
  const ChainRun run = draw_joint_squares({problem}, options, {});
  const MeanAndSd mu = mean_and_sd(quantity(run, 0, options.draws));
  const MeanAndSd variance = mean_and_sd(quantity(run, 1, options.draws));
  const auto [mean, weight, shape, scale, unused] = problem.law->update(problem.prior, {400, 280, 480});
  const double expected = scale / (shape - 1);
  const double spread = std::sqrt(expected / weight);
  EXPECT_NEAR(mu.mean, mean, 0.05 * spread);
  EXPECT_NEAR(mu.sd / spread, 1, 0.03);
  EXPECT_NEAR(variance.mean, expected, 0.05 * variance.sd);
  EXPECT_NEAR(variance.sd / (expected / std::sqrt(shape - 2)), 1, 0.03);
}

TEST(JointSquares, WithoutASightItIsThePrior) {
  NumberProblem problem = number_problem("normal", {}, real_column(-3, 3, Rational("1/20")), {0, 2, 4, 3});
  problem.total = KnownTotal{1000};
  problem.sums = {laplace(50, 1e9)};
  problem.square_sums = {laplace(50, 1e12)};
  DriverOptions options;
  options.draws = 4000;
  const ChainRun run = draw_joint_squares({problem}, options, {});
  const MeanAndSd mu = mean_and_sd(quantity(run, 0, options.draws));
  EXPECT_NEAR(mu.mean, 0, 0.05);
  EXPECT_NEAR(mu.sd, std::sqrt(0.5), 0.05);
  EXPECT_NEAR(mean_and_sd(quantity(run, 1, options.draws)).mean, 1, 0.06);
}

// n latent and hardly seen: it may be 3 or 3000, and few records must not carry theta away.
TEST(JointSquares, LatentNumberOfRecordsWithWideNoise) {
  NumberProblem problem = number_problem("normal", {}, real_column(-3, 3, Rational("1/20")), {0, 2, 4, 3});
  problem.total = LatentTotal{4000};
  problem.counts = {laplace(1000, 1e5)};
  problem.sums = {laplace(6000, 1e8)};
  problem.square_sums = {laplace(300'000, 1e10)};
  DriverOptions options;
  options.draws = 4000;
  const ChainRun run = draw_joint_squares({problem}, options, {});
  const MeanAndSd mu = mean_and_sd(quantity(run, 0, options.draws));
  const MeanAndSd variance = mean_and_sd(quantity(run, 1, options.draws));
  const MeanAndSd n = mean_and_sd(quantity(run, 2, options.draws));
  EXPECT_NEAR(mu.mean, 0, 0.06);
  EXPECT_NEAR(mu.sd, std::sqrt(0.5), 0.06);
  EXPECT_NEAR(variance.mean, 1, 0.07);
  EXPECT_LT(variance.sd, 1.2);
  EXPECT_NEAR(n.mean, 2000, 0.1 * n.sd);
}

}  // namespace
}  // namespace postern::infer
