#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/glm/chain.hpp"

#include "glm_problems.hpp"

// The posterior of a generalised linear model against one that assumes nothing of sums of products: records
// are drawn from the prior by the million, each as they are, and weighed by how well the published sums go
// with them.

namespace postern::infer {
namespace {

struct Answer {
  std::vector<double> mean, sd;
  double worth = 0;  ///< draws of equal weight that it is worth
};

double log_noise(const GlmProblem& problem, const MadeUpGlm& records) {
  double sum = 0;
  for (const NoisyMoment& one : problem.sums.moments)
    sum -= std::abs(one.value - records.at(one.i, one.j)) / one.noise.scale;
  return sum;
}

Answer by_brute_force(const GlmProblem& problem, std::int64_t n, int draws, Rng& rng) {
  const std::size_t size = problem.sums.features + 1;
  Answer out{std::vector<double>(size), std::vector<double>(size)};
  double all = 0;
  double squares = 0;
  for (int i = 0; i < draws; ++i) {
    const MadeUpGlm records = draw_glm_records(problem, n, rng);
    const double weight = chance_to_pass(records) * std::exp(log_noise(problem, records));
    all += weight;
    squares += weight * weight;
    for (std::size_t q = 0; q < size; ++q) {
      out.mean[q] += weight * records.theta[q];
      out.sd[q] += weight * records.theta[q] * records.theta[q];
    }
  }
  for (std::size_t q = 0; q < size; ++q) {
    out.mean[q] /= all;
    out.sd[q] = std::sqrt(out.sd[q] / all - out.mean[q] * out.mean[q]);
  }
  out.worth = all * all / squares;
  return out;
}

Answer by_chains(const GlmProblem& problem, std::size_t draws) {
  DriverOptions options;
  options.chains = 2;
  options.draws = draws;
  options.most_warmup = 1000;
  options.most_thinning = 8;
  const ChainRun run = draw_glm(problem, options, {});
  const std::size_t size = problem.sums.features + 1;
  Answer out{std::vector<double>(size), std::vector<double>(size)};
  const double all = static_cast<double>(run.draws.size() * draws);
  for (std::size_t q = 0; q < size; ++q) {
    double squares = 0;
    for (const std::vector<double>& chain : run.draws) {
      for (std::size_t i = 0; i < draws; ++i) {
        out.mean[q] += chain[q * draws + i] / all;
        squares += chain[q * draws + i] * chain[q * draws + i] / all;
      }
    }
    out.sd[q] = std::sqrt(squares - out.mean[q] * out.mean[q]);
  }
  return out;
}

TEST(GlmProof, AgreesWithRecordsDrawnByTheMillion) {
  Rng rng(7, 0, Purpose::test);
  for (const double most : {0.0, 6.0}) {
    for (const std::int64_t n : {12}) {
      GlmProblem problem = blank_glm(1, {most});
      see_records(problem, n, {MomentNoise::Shape::laplace, 3}, rng);
      const Answer exact = by_brute_force(problem, n, 200'000, rng);
      ASSERT_GT(exact.worth, 1000);
      const Answer ours = by_chains(problem, 3000);
      for (std::size_t q = 0; q < 2; ++q) {
        EXPECT_NEAR(ours.mean[q], exact.mean[q], 0.15 * exact.sd[q]) << most << ' ' << n << ' ' << q;
        EXPECT_NEAR(ours.sd[q] / exact.sd[q], 1, 0.15) << most << ' ' << n << ' ' << q;
      }
    }
  }
}

// Where noise vanishes and features are normal, coefficients are found.
TEST(GlmProof, FindsTheTruthWhereNoiseVanishes) {
  Rng rng(8, 0, Purpose::test);
  for (const double most : {0.0, 20.0}) {
    GlmProblem problem = blank_glm(3, {most});
    const MadeUpGlm records = see_records(problem, 5000, {MomentNoise::Shape::gaussian, 1}, rng);
    const Answer ours = by_chains(problem, 300);
    for (std::size_t q = 0; q < 4; ++q) {
      EXPECT_LT(ours.sd[q], 0.6);
      EXPECT_NEAR(ours.mean[q], records.theta[q], 4.5 * ours.sd[q]) << most << ' ' << q;
    }
  }
}

// What is wrong with the data is never wrong with the answer: numbers everywhere, and no more sure than they
// are worth.
TEST(GlmProof, TakesWhateverRecordsThereAre) {
  const MomentNoise noise{MomentNoise::Shape::laplace, 20};
  const double n = 500;
  for (const double most : {0.0, 10.0}) {
    for (const int fault : {0, 1, 2, 3, 4}) {
      GlmProblem problem = blank_glm(2, {most});
      problem.sums.total = KnownTotal{static_cast<std::int64_t>(n)};
      double y = 0, xy = 0.3 * n, xx = 0.02 * n;
      if (fault == 0) xy = 0.5 * n;   // separable: |x| = .5, y its sign
      if (fault == 1) y = n, xy = 0;  // constant
      if (fault == 2) xx = 0.25 * n;  // the same column twice
      if (fault == 3) problem.sums.total = KnownTotal{2};
      if (fault == 4) y = 40 * n, xy = -1e9;  // no record can
      problem.sums.moments = {{1, 0, 0, noise},        {2, 0, 0, noise},        {3, 0, y, noise},
                              {1, 1, 0.25 * n, noise}, {2, 2, 0.25 * n, noise}, {2, 1, xx, noise},
                              {3, 1, xy, noise},       {3, 2, xy, noise}};
      const Answer ours = by_chains(problem, 300);
      for (std::size_t q = 0; q < 3; ++q) {
        EXPECT_TRUE(std::isfinite(ours.mean[q]) && std::isfinite(ours.sd[q])) << fault;
        EXPECT_LT(ours.sd[q], 1.3 * problem.slope_sd + 0.7);
        EXPECT_GT(ours.sd[q], 0.02) << fault;
      }
      if (fault == 3) {
        EXPECT_NEAR(ours.sd[1], problem.slope_sd, 0.1 * problem.slope_sd);
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
