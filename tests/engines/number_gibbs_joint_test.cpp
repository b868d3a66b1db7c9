#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/gibbs/joint_number.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"
#include "postern/infer/kinds/number/gibbs/unbounded.hpp"

#include "number_gibbs_support.hpp"

namespace postern::infer {
namespace {

NumberProblem waiting_times(std::int64_t n) {
  NumberProblem problem = number_problem("exponential", {}, real_column(0, 2, Rational("1/100")), {8, 2});
  problem.total = KnownTotal{n};
  return problem;
}

std::vector<double> quantity(const ChainRun& run, std::size_t q, std::size_t draws) {
  std::vector<double> out;
  for (const auto& chain : run.draws)
    out.insert(out.end(), chain.begin() + static_cast<std::ptrdiff_t>(q * draws),
               chain.begin() + static_cast<std::ptrdiff_t>((q + 1) * draws));
  return out;
}

/// z of the mean of theta of 64 chains, in which y is drawn anew in every step, against the prior's mean
/// (Geweke 2004). Chains begin in the prior, so a kernel that keeps its law gives |z| < 5.5 except with
/// probability 1e-6.
double geweke_z(std::int64_t n, double b) {
  constexpr int kChains = 64;
  constexpr int kSteps = 3000;
  NumberProblem problem = waiting_times(n);
  problem.sums = {laplace(0, b)};
  const JointNumber kernel(problem);
  std::vector<double> means;
  for (std::uint32_t c = 0; c < kChains; ++c) {
    Rng rng(20261116, c, Purpose::test);
    JointNumber::State state = kernel.init(rng);
    state.collapsed = false;
    state.theta = problem.law->draw_theta(problem.prior, rng);
    // The sum of k given theta, by the engine's own law: no noisy value.
    state.sets[0].sum = NoisySum();
    const model::Theta kept = state.theta;
    kernel.step(state, rng);
    state.theta = kept;
    double mean = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double noise = draw_exponential(rng) * (rng.uniform() < 0.5 ? -b : b);
      state.sets[0].sum = NoisySum(std::vector{laplace(state.sets[0].c + noise, b)});
      kernel.step(state, rng);
      mean += state.theta[0] / kSteps;
    }
    means.push_back(mean);
  }
  const MeanAndSd found = mean_and_sd(means);
  return (found.mean - 4) / (found.sd / std::sqrt(kChains - 1.0));
}

TEST(JointNumber, KeepsItsLawWithAThousandRecords) { EXPECT_LT(std::abs(geweke_z(1000, 1000)), 5.5); }

// With two records the normal approximation is wrong, and the same test says so.
TEST(JointNumber, DoesNotKeepItWithTwo) { EXPECT_GT(std::abs(geweke_z(2, 200)), 5.5); }

TEST(JointNumber, WithoutNoiseAndWithWideBoundsItIsConjugate) {
  NumberProblem problem = number_problem("exponential", {}, real_column(0, 20, Rational("1/1000")), {8, 2});
  problem.total = KnownTotal{1000};
  problem.sums = {laplace(250'000, 1e-6)};
  DriverOptions options;
  options.draws = 25'000;
  const MeanAndSd found = mean_and_sd(quantity(draw_joint_number(problem, options, {}), 0, options.draws));
  const double mean = 1008.0 / 252;
  EXPECT_NEAR(found.mean, mean, 4.9 * mean / std::sqrt(1008.0 * 25'000));
  EXPECT_NEAR(found.sd, mean / std::sqrt(1008.0), 0.01 * mean / std::sqrt(1008.0));
}

TEST(JointNumber, WithoutASightItIsThePrior) {
  for (const std::int64_t n : {0, 1000, 1'000'000'000}) {
    NumberProblem problem = waiting_times(n);
    problem.sums = {laplace(500, 1e14)};
    DriverOptions options;
    options.draws = 10'000;
    const MeanAndSd found = mean_and_sd(quantity(draw_joint_number(problem, options, {}), 0, options.draws));
    EXPECT_NEAR(found.mean, 4, 0.08) << n;
    EXPECT_NEAR(found.sd, std::sqrt(2.0), 0.08) << n;
  }
}

// The oracle `lattice_exact`: min(x, 8) of Poisson records, n = 50, b = 16, y = 150, Gamma(2, 1).
TEST(JointNumber, ClampedPoissonOracle) {
  NumberProblem problem = number_problem("poisson", {}, whole_column(0, 8), {2, 1});
  problem.total = KnownTotal{50};
  problem.sums = {laplace(150, 16)};
  DriverOptions options;
  options.draws = 20'000;
  const MeanAndSd found = mean_and_sd(quantity(draw_joint_number(problem, options, {}), 0, options.draws));
  EXPECT_NEAR(found.mean, 2.8641316544263136, 0.03 * 0.51);
  EXPECT_NEAR(found.sd / 0.510816169076546, 1, 0.03);
}

// n latent, seen through its own noise: against p(theta, n | y) on a grid, the sum normal given theta and n.
TEST(JointNumber, LatentNumberOfRecords) {
  NumberProblem problem = number_problem("poisson", {}, whole_column(0, 8), {2, 1});
  problem.total = LatentTotal{600};
  problem.sums = {laplace(900, 20)};
  problem.counts = {laplace(290, 25)};
  const NoisySum sum(problem.sums);
  const LevelMomentSum levels(*problem.law, problem.number);
  double whole = 0;
  double mean_n = 0;
  double square_n = 0;
  double mean = 0;
  double square = 0;
  for (double rate = 1; rate < 8; rate += 0.02) {
    const LevelMoments k = levels.at({rate, 0});
    const double prior = std::exp(problem.law->log_prior(problem.prior, {rate, 0}));
    for (double n = 0; n <= 600; ++n) {
      const double w =
          prior * std::exp(sum.log_likelihood(n * k.mean, n * k.variance) - std::abs(n - 290) / 25);
      whole += w;
      mean_n += w * n;
      square_n += w * n * n;
      mean += w * rate;
      square += w * rate * rate;
    }
  }
  mean_n /= whole;
  mean /= whole;
  const double sd_n = std::sqrt(square_n / whole - mean_n * mean_n);
  const double sd = std::sqrt(square / whole - mean * mean);
  DriverOptions options;
  options.draws = 10'000;
  const ChainRun run = draw_joint_number(problem, options, {});
  const MeanAndSd theta = mean_and_sd(quantity(run, 0, options.draws));
  const MeanAndSd n = mean_and_sd(quantity(run, 1, options.draws));
  EXPECT_NEAR(theta.mean, mean, 0.05 * sd);
  EXPECT_NEAR(theta.sd / sd, 1, 0.05);
  EXPECT_NEAR(n.mean, mean_n, 0.05 * sd_n);
  EXPECT_NEAR(n.sd / sd_n, 1, 0.05);
}

TEST(JointNumber, SameDrawsForAnyNumberOfThreads) {
  NumberProblem problem = waiting_times(1000);
  problem.sums = {laplace(24'000, 200), gaussian(24'100, 9e4)};
  DriverOptions options;
  options.draws = 100;
  options.threads = 1;
  const ChainRun one = draw_joint_number(problem, options, {});
  options.threads = 4;
  EXPECT_EQ(draw_joint_number(problem, options, {}).draws, one.draws);
}

TEST(JointSquares, WithoutNoiseAndWithWideBoundsItIsConjugate) {
  NumberProblem problem =
      number_problem("normal", {}, real_column(-50, 50, Rational("1/100")), {0.5, 2, 3, 1.5});
  problem.total = KnownTotal{400};
  problem.sums = {laplace(280 * 100, 1e-3)};
  problem.square_sums = {gaussian(480 * 1e4, 1e-3)};
  DriverOptions options;
  options.draws = 25'000;
  const ChainRun run = draw_joint_number(problem, options, {});
  const MeanAndSd mu = mean_and_sd(quantity(run, 0, options.draws));
  const MeanAndSd variance = mean_and_sd(quantity(run, 1, options.draws));
  const auto [mean, weight, shape, scale] = problem.law->update(problem.prior, {400, 280, 480});
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
  const ChainRun run = draw_joint_number(problem, options, {});
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
  const ChainRun run = draw_joint_number(problem, options, {});
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
