#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/kept_theta.hpp"

#include "number_problems.hpp"

namespace postern::infer {
namespace {

NumberProblem dropping(const NumberShape& shape) { return number_problem(shape); }
model::KeptRange range_of(const NumberProblem& problem) {
  return {problem.law, problem.number, problem.whole};
}

const model::Values kUnit = model::RealRange{0, 1, Rational(1, 10), {}};

TEST(KeptRange, AColumnThatClampsKeepsEverything) {
  const NumberProblem problem = number_problem({"exponential", {}, kUnit, {1, 1, 0, 0}});
  const model::KeptRange range = range_of(problem);
  EXPECT_FALSE(range.drops());
  EXPECT_TRUE(range.keeps(1e9));
  EXPECT_EQ(range.log_kept({1e-3, 0}), 0);
}

TEST(KeptRange, MassKeepsItsDigits) {
  const NumberProblem times = dropping({"exponential", {}, kUnit, {1, 1, 0, 0}, model::Drop{}});
  for (const double rate : {1e-200, 1e-12, 0.1, 3.0, 1e5})
    EXPECT_NEAR(range_of(times).log_kept({rate, 0}), log1m_exp(-rate), 1e-11) << rate;
  const NumberProblem normal = dropping({"normal", {}, kUnit, {0, 1, 1, 1}, model::Drop{}});
  const model::KeptRange range = range_of(normal);
  // Much wider than the range: the density at its middle.
  EXPECT_NEAR(range.log_kept({0.5, 1e40}), -0.5 * std::log(2 * M_PI * 1e40), 1e-11);
  // Forty deviations away: the tail's series.
  const double tail = -0.5 * 1600 - std::log(40 * std::sqrt(2 * M_PI)) + std::log1p(-1 / 1600.0 + 3 / 2.56e6);
  EXPECT_NEAR(range.log_kept({-40, 1}), tail, 1e-7);
  EXPECT_NEAR(range.log_kept({41, 1}), tail, 1e-7);
}

TEST(KeptRange, WholeNumbersCountAtBothEnds) {
  const NumberProblem counts =
      dropping({"poisson", {}, model::IntegerRange{1, 2, {}}, {1, 1, 0, 0}, model::Drop{}});
  const model::KeptRange range = range_of(counts);
  for (const double rate : {1e-9, 0.3, 2.0, 40.0})
    EXPECT_NEAR(range.log_kept({rate, 0}), -rate + std::log(rate + 0.5 * rate * rate), 1e-11) << rate;
  EXPECT_TRUE(range.keeps(1));
  EXPECT_TRUE(range.keeps(2));
  EXPECT_FALSE(range.keeps(0));
  EXPECT_FALSE(range.keeps(3));
}

TEST(KeptRange, QuantilesShareTheKeptMass) {
  const NumberProblem times = dropping({"exponential", {}, kUnit, {1, 1, 0, 0}, model::Drop{}});
  for (const double rate : {1e-30, 0.01, 2.0, 700.0}) {
    const model::KeptRange range = range_of(times);
    const model::KeptMass mass = range.mass({rate, 0});
    for (const double u : {0.0, 1e-6, 0.3, 0.9, 0.999}) {
      const double expected = rate < 1e-9 ? u : -std::log1p(u * std::expm1(-rate)) / rate;
      EXPECT_NEAR(range.quantile(mass, u), expected, 1e-11) << rate << " " << u;
    }
  }
  const NumberProblem counts =
      dropping({"poisson", {}, model::IntegerRange{1, 3, {}}, {1, 1, 0, 0}, model::Drop{}});
  const model::KeptRange range = range_of(counts);
  const model::KeptMass mass = range.mass({6, 0});  // weights 6, 18, 36
  EXPECT_EQ(range.quantile(mass, 0), 1);
  EXPECT_EQ(range.quantile(mass, 0.099), 1);
  EXPECT_EQ(range.quantile(mass, 0.101), 2);
  EXPECT_EQ(range.quantile(mass, 0.399), 2);
  EXPECT_EQ(range.quantile(mass, 0.401), 3);
  EXPECT_EQ(range.quantile(mass, 0.999), 3);
}

TEST(KeptRange, RefusesAColumnThatDropsOnOneSide) {
  NumberProblem problem = number_problem({"exponential", {}, kUnit, {1, 1, 0, 0}});
  problem.number.above = -1;
  EXPECT_THROW(static_cast<void>(range_of(problem)), Error);
}

/// Mean and variance of log theta under prior(theta) / P(kept | theta)^n, on a grid.
struct Moments {
  double mean = 0;
  double variance = 0;
};
Moments listed(const NumberProblem& problem, const model::Hyper& prior, const model::KeptRange& range,
               double n) {
  double mass = 0;
  double first = 0;
  double second = 0;
  for (double z = -25; z < 8; z += 0.003) {
    const model::Theta theta{std::exp(z), 0};
    const double w = std::exp(problem.law->log_prior(prior, theta) + z - n * range.log_kept(theta) + 40);
    mass += w;
    first += w * z;
    second += w * z * z;
  }
  first /= mass;
  return {first, second / mass - first * first};
}

/// 4000 steps hardly correlate; the bound holds for one independent draw in four, at 1e-6.
TEST(KeptTheta, StepsKeepTheLaw) {
  const NumberProblem problem = dropping({"exponential", {}, kUnit, {2, 1, 0, 0}, model::Drop{}});
  const model::KeptRange range = range_of(problem);
  for (const double n : {0.0, 3.0, 50.0}) {
    const model::Hyper prior = problem.law->update(problem.prior, {n, 0.45 * n, 0});
    const Moments expected = listed(problem, prior, range, n);
    const std::vector<KeptRecords> records{{&range, n}};
    Rng rng(20261116, 0, Purpose::test);
    model::Theta theta{1, 0};
    double sum = 0;
    constexpr int kSteps = 4000;
    for (int i = -100; i < kSteps; ++i) {
      step_kept_theta(*problem.law, 1, prior, records, theta, rng);
      if (i >= 0) sum += std::log(theta[0]);
    }
    EXPECT_NEAR(sum / kSteps, expected.mean, 4.9 * std::sqrt(expected.variance * 4 / kSteps)) << n;
  }
}

}  // namespace
}  // namespace postern::infer
