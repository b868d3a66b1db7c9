// Binomial records of several trials each, with n private: a table of trials whose total is a multiple.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "number_problems.hpp"

namespace postern::infer {
namespace {

NumberProblem binomial(long trials, std::int64_t at_most, double successes, double failures, double rate) {
  NumberProblem problem =
      number_problem({"binomial", {trials}, model::IntegerRange{0, trials, {}}, {2, 3, 0, 0}});
  problem.sums = {{successes, release::DiscreteLaplace(rate)}};
  problem.mirrored_sums = {{failures, release::DiscreteLaplace(rate)}};
  problem.total = LatentTotal{at_most, -0.02};
  return problem;
}

/// log C(nm, s) B(2 + s, 3 + nm - s) / B(2, 3)
double log_marginal(double trials, double s) {
  const auto log_beta = [](double a, double b) { return log_gamma(a) + log_gamma(b) - log_gamma(a + b); };
  return log_factorial(trials) - log_factorial(s) - log_factorial(trials - s) +
         log_beta(2 + s, 3 + trials - s) - log_beta(2, 3);
}

TEST(BinomialWithPrivateNumber, IsEveryNumberAndEverySum) {
  for (const long m : {1L, 3L, 7L}) {
    const std::int64_t at_most = 30;
    const NumberProblem problem = binomial(m, at_most, 13, 22, 0.15);
    const NumberPosterior posterior(problem, 1);
    const release::DiscreteLaplace noise(0.15);
    double norm = 0;
    for (std::int64_t n = 0; n <= at_most; ++n) norm += std::exp(-0.02 * static_cast<double>(n));
    double evidence = 0, theta = 0, theta2 = 0, below = 0, total = 0, total2 = 0;
    for (std::int64_t n = 0; n <= at_most; ++n) {
      const auto trials = static_cast<double>(n * m);
      for (double s = 0; s <= trials; ++s) {
        const double weight = std::exp(log_marginal(trials, s) + noise.log_pmf(13 - s) +
                                       noise.log_pmf(22 - (trials - s)) - 0.02 * static_cast<double>(n)) /
                              norm;
        const double a = 2 + s, b = 3 + trials - s;
        evidence += weight;
        theta += weight * a / (a + b);
        theta2 += weight * a * (a + 1) / ((a + b) * (a + b + 1));
        below += weight * beta_cdf(a, b, 0.4);
        total += weight * static_cast<double>(n);
        total2 += weight * static_cast<double>(n * n);
      }
    }
    const double mean = theta / evidence, n_mean = total / evidence;
    EXPECT_NEAR(posterior.log_evidence(), std::log(evidence), 1e-9) << m;
    EXPECT_NEAR(posterior.mean(), mean, 1e-9) << m;
    EXPECT_NEAR(posterior.sd(), std::sqrt(theta2 / evidence - mean * mean), 1e-8) << m;
    EXPECT_NEAR(posterior.cdf(0.4), below / evidence, 1e-9) << m;
    EXPECT_NEAR(posterior.total(0).mean, n_mean, 1e-8) << m;
    EXPECT_NEAR(posterior.total(0).sd, std::sqrt(total2 / evidence - n_mean * n_mean), 1e-7) << m;
  }
}

// Next to no noise: one number of records is left, and every draw has it.
TEST(BinomialWithPrivateNumber, IsKnownWithoutNoise) {
  const NumberPosterior posterior(binomial(10, 50, 13, 17, 40), 1);
  EXPECT_NEAR(posterior.mean(), (2 + 13.0) / (5 + 30), 1e-12);
  EXPECT_NEAR(posterior.total(0).mean, 3, 1e-12);
  EXPECT_EQ(posterior.total_quantile(0.5, 0), 3);
  Rng rng(3, 0, Purpose::test);
  double sum = 0;
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    std::int64_t n = -1;
    sum += posterior.draw({&n, 1}, rng);
    ASSERT_EQ(n, 3);
  }
  EXPECT_NEAR(sum / kDraws, 15.0 / 35, 5 * posterior.sd() / std::sqrt(kDraws));
}

// A noisy value of n that says nothing leaves the table of trials for the grid of theta.
TEST(BinomialWithPrivateNumber, IsTheSameOnAGrid) {
  NumberProblem problem = binomial(5, 400, 420, 700, 0.01);
  const NumberPosterior table(problem, 1);
  problem.counts = {{200, release::DiscreteLaplace(1e-12)}};
  const NumberPosterior grid(problem, 1);
  EXPECT_NEAR(table.mean(), grid.mean(), 1e-6);
  EXPECT_NEAR(table.sd(), grid.sd(), 1e-6);
  for (const double p : {0.001, 0.1, 0.5, 0.9, 0.999}) EXPECT_NEAR(table.cdf(grid.quantile(p)), p, 1e-6) << p;
  EXPECT_NEAR(table.total(0).mean, grid.total(0).mean, 1e-3 * table.total(0).sd);
  EXPECT_NEAR(table.total(0).sd, grid.total(0).sd, 1e-3 * table.total(0).sd);
  for (const double p : {0.05, 0.5, 0.95})
    EXPECT_NEAR(table.total_quantile(p, 0), grid.total_quantile(p, 0), 1) << p;
}

// Ten thousand records of ten trials under noise that leaves the sum vague: the table and the grid agree.
TEST(BinomialWithPrivateNumber, IsTheSameOnAGridUnderWideNoise) {
  NumberProblem problem = binomial(10, 20'000, 11'800, 88'900, 0.001);
  problem.total = LatentTotal{20'000};
  const NumberPosterior table(problem, 1);
  problem.counts = {{10'000, release::DiscreteLaplace(1e-13)}};
  const NumberPosterior grid(problem, 1);
  EXPECT_NEAR(table.mean(), grid.mean(), 1e-7);
  EXPECT_NEAR(table.sd(), grid.sd(), 1e-7);
  for (const double p : {0.001, 0.05, 0.5, 0.95, 0.999})
    EXPECT_NEAR(table.cdf(grid.quantile(p)), p, 2e-6) << p;
}

}  // namespace
}  // namespace postern::infer
