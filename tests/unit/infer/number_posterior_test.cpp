#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/bracketed_root.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "number_problems.hpp"

namespace postern::infer {
namespace {

NumberProblem clamped_poisson(double y, release::NoiseLaw noise, std::int64_t n) {
  NumberProblem problem = number_problem({"poisson", {}, model::IntegerRange{0, 8, {}}, {2, 1, 0, 0}});
  problem.sums = {{y, noise}};
  problem.total = KnownTotal{n};
  return problem;
}

// lattice_exact of the oracles, whose own grid is good to 3e-8.
TEST(NumberPosterior, ClampedPoissonIsTheOracle) {
  const NumberPosterior posterior(clamped_poisson(150, release::DiscreteLaplace(1.0 / 16), 50), 1);
  EXPECT_NEAR(posterior.mean(), 2.8641316544263136, 1e-8);
  EXPECT_NEAR(posterior.sd(), 0.510816169076546, 3e-8);
  EXPECT_NEAR(posterior.cdf(posterior.quantile(0.3)), 0.3, 1e-12);
}

TEST(NumberPosterior, WithoutInformationIsThePrior) {
  const NumberPosterior posterior(clamped_poisson(150, release::DiscreteLaplace(1e-12), 50), 1);
  EXPECT_NEAR(posterior.mean(), 2, 1e-8);
  EXPECT_NEAR(posterior.sd(), std::sqrt(2.0), 1e-8);
  EXPECT_NEAR(posterior.cdf(1), gamma_cdf(2, 1), 1e-9);
}

TEST(NumberPosterior, WithoutRecordsIsThePrior) {
  const NumberPosterior posterior(clamped_poisson(3, release::DiscreteGaussian(4), 0), 1);
  EXPECT_NEAR(posterior.mean(), 2, 1e-8);
  EXPECT_NEAR(posterior.log_evidence(), release::DiscreteGaussian(4).log_pmf(3), 1e-9);
}

// Beta(1, 0.001) has half of its mass where theta is 1 as a double.
TEST(NumberPosterior, OfAlmostCertainStoppingIsThePrior) {
  for (const auto& [a, b] : {std::pair(1.0, 1e-3), std::pair(1e-3, 1.0), std::pair(1e-3, 1e-3)}) {
    NumberProblem problem = number_problem({"geometric", {}, model::IntegerRange{0, 2, {}}, {a, b, 0, 0}});
    problem.sums = {{11, release::DiscreteGaussian(200)}, {2, release::DiscreteGaussian(6)}};
    problem.total = KnownTotal{0};
    const NumberPosterior posterior(problem, 1);
    EXPECT_NEAR(posterior.mean(), a / (a + b), 1e-8) << a << " " << b;
    EXPECT_NEAR(posterior.sd(), std::sqrt(a * b / (a + b + 1)) / (a + b), 1e-8) << a << " " << b;
  }
}

// Outside values that are mapped into the range let a record's mean turn: one sum, two rates.
TEST(NumberPosterior, HasBothModesOfAMeanThatTurns) {
  NumberProblem problem = number_problem(
      {"exponential", {}, model::RealRange{5, 25, Rational(1, 4), {}}, {1.8, 50, 0, 0}, model::MapTo{70}});
  const std::int64_t n = 100'000'000;
  problem.total = KnownTotal{n};
  const auto mean = [&](double theta) {
    std::vector<double> mass;
    model::level_masses(*problem.law, {theta, 0}, problem.number, mass);
    double sum = 0;
    for (std::size_t l = 0; l < mass.size(); ++l)
      sum += mass[l] * static_cast<double>(problem.number.values.adds[l]);
    return sum;
  };
  double lowest = 0.1;
  for (const double step : {1e-2, 1e-3, 1e-4}) {
    const double near = lowest;
    for (int k = -100; k <= 100; ++k) {
      const double theta = near * std::exp(step * k);
      if (mean(theta) < mean(lowest)) lowest = theta;
    }
  }
  const double other = 1.01 * lowest;
  problem.sums = {{std::round(static_cast<double>(n) * mean(other)), release::DiscreteGaussian(1e6)}};
  const double target = problem.sums.front().y / static_cast<double>(n);
  const auto miss = [&](double theta) { return mean(theta) - target; };
  // Of each mode: its prior density over the slope of the mean.
  double below = 0;
  double all = 0;
  for (const auto& [from, to] : {std::pair(0.9 * lowest, lowest), std::pair(lowest, 1.1 * lowest)}) {
    const double theta = bracketed_root(miss, {from, to, miss(from), miss(to)}, 1e-12);
    const double slope = (mean(theta + 1e-7) - mean(theta - 1e-7)) / 2e-7;
    const double share = std::pow(theta, 0.8) * std::exp(-50 * theta) / std::abs(slope);
    if (theta < lowest) below = share;
    all += share;
  }
  const NumberPosterior posterior(problem, 1);
  EXPECT_NEAR(posterior.cdf(lowest), below / all, 5e-3);
}

// A prior that is wide beside the range: far out on both sides every record is mapped to the same level.
TEST(NumberPosterior, SeesARangeThatIsNarrowBesideThePrior) {
  for (const double sd : {3e4, 3e7}) {
    NumberProblem problem = number_problem({"normal-mean",
                                            {10'000},
                                            model::RealRange{0, 2400, 100, {}},
                                            {1200, sd * sd, 0, 0},
                                            model::MapTo{24}});
    problem.sums = {{0, release::DiscreteLaplace(8)}};  // two records at 0
    problem.total = KnownTotal{2};
    const NumberPosterior posterior(problem, 1);
    EXPECT_GT(posterior.cdf(500) - posterior.cdf(-500), 0.999) << sd;
  }
}

// Noise so sharp that it is far from every sum of few records: n that no bound expects says most.
TEST(NumberPosterior, WeighsEveryNumberWhoseSumsAreFarFromSharpNoise) {
  NumberProblem problem =
      number_problem({"maxwell",
                      {},
                      model::RealRange{Rational(1, 10), Rational(2, 5), Rational(1, 10), {}},
                      {2, 1, 0, 0},
                      model::Drop{}});
  // One record costs 100 nats more than none, and two reach the sum much better than one.
  problem.sums = {{1e6, release::DiscreteLaplace(900.0 / 1258291)}};
  problem.counts = {{-1e15, release::DiscreteLaplace(100)}};
  problem.total = LatentTotal{28};
  const NumberPosterior posterior(problem, 1);
  EXPECT_NEAR(posterior.total().mean, 2, 1e-6);
  EXPECT_EQ(posterior.total_quantile(0.5), 2);
}

TEST(NumberPosterior, WithoutNoiseAndWithoutClampingIsConjugate) {
  NumberProblem problem = number_problem({"poisson", {}, model::IntegerRange{0, 60, {}}, {2, 1, 0, 0}});
  problem.sums = {{90, release::DiscreteLaplace(60)}};
  problem.total = KnownTotal{40};
  const NumberPosterior posterior(problem, 1);
  EXPECT_NEAR(posterior.mean(), 92.0 / 41, 1e-9);
  EXPECT_NEAR(posterior.sd(), std::sqrt(92.0) / 41, 1e-9);
  EXPECT_NEAR(posterior.cdf(2), gamma_cdf(92, 2 * 41), 1e-9);
}

// binomial_exact of the oracles, and the same through two trials a record.
TEST(NumberPosterior, BinomialIsTheOracle) {
  for (const long trials : {1, 2}) {
    NumberProblem problem =
        number_problem({"binomial", {trials}, model::IntegerRange{0, trials, {}}, {1, 1, 0, 0}});
    problem.sums = {{42, release::DiscreteLaplace(0.1)}};
    problem.total = KnownTotal{100 / trials};
    const NumberPosterior posterior(problem, 1);
    EXPECT_NEAR(posterior.mean(), 0.42429295702040465, 1e-12);
    EXPECT_NEAR(posterior.sd(), 0.13759966659369172, 1e-12);
    EXPECT_NEAR(posterior.quantile(0.025), 0.1422222434470609, 1e-9);
    EXPECT_EQ(posterior.total().mean, 100 / trials);
  }
}

// A private n: trials as cells, and records of the general engine, which a noisy value of n of no value
// forces.
TEST(NumberPosterior, OneTrialARecordIsATableOfTwoCells) {
  NumberProblem problem = number_problem({"binomial", {1}, model::IntegerRange{0, 1, {}}, {1, 2, 0, 0}});
  problem.sums = {{12, release::DiscreteLaplace(0.3)}};
  problem.mirrored_sums = {{19, release::DiscreteLaplace(0.3)}};
  problem.total = LatentTotal{80, 0};
  const NumberPosterior table(problem, 1);
  problem.counts = {{40, release::DiscreteLaplace(1e-13)}};
  const NumberPosterior grid(problem, 1);
  EXPECT_NEAR(grid.log_evidence() - release::DiscreteLaplace(1e-13).log_pmf(0), table.log_evidence(), 1e-7);
  EXPECT_NEAR(grid.mean(), table.mean(), 1e-7);
  EXPECT_NEAR(grid.sd(), table.sd(), 1e-7);
  EXPECT_NEAR(grid.total().mean, table.total().mean, 0.01 * table.total().sd);
  EXPECT_NEAR(grid.total().sd, table.total().sd, 0.01 * table.total().sd);
  EXPECT_NEAR(grid.total_quantile(0.9), table.total_quantile(0.9), 1);
}

TEST(NumberPosterior, DrawsFollowTheDensity) {
  const NumberPosterior posterior(clamped_poisson(150, release::DiscreteLaplace(1.0 / 16), 50), 1);
  Rng rng(20261115, 0, Purpose::test);
  constexpr std::size_t kDraws = 20000;
  std::vector<double> u;
  for (std::size_t i = 0; i < kDraws; ++i) u.push_back(posterior.cdf(posterior.draw({}, rng)));
  std::sort(u.begin(), u.end());
  double distance = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double at = static_cast<double>(i) / kDraws;
    distance = std::max({distance, u[i] - at, at + 1.0 / kDraws - u[i]});
  }
  EXPECT_LT(distance, 2.70 / std::sqrt(kDraws));
}

// The log density must be known as well as its grid asks for.
TEST(NumberPosterior, SettlesForFewRecordsAndLittleNoise) {
  NumberProblem problem =
      number_problem({"pareto", {1}, model::RealRange{1, 11, Rational(1, 4), {}}, {4, 2, 0, 0}});
  const auto width = static_cast<double>(problem.number.values.adds.back());
  for (const std::int64_t n : {4, 10}) {
    problem.total = KnownTotal{n};
    for (const double y : {-0.1, 0.6, 0.710361, 1.5, 2.4, 3.3}) {
      problem.sums = {{std::round(y * width), release::DiscreteLaplace(5 / width)}};
      EXPECT_NO_THROW(NumberPosterior(problem, 1)) << n << " " << y;
    }
  }
}

TEST(NumberPosterior, RefusesTwoParameters) {
  NumberProblem problem = clamped_poisson(1, release::DiscreteLaplace(1), 1);
  problem.parameters = 2;
  EXPECT_THROW(NumberPosterior(problem, 1), Error);
}

// A prior of shape 1e-3 has theta over thousands of orders of magnitude, nearly all of which put every record
// at the last level; the law of n changes over the few where they do not. Two levels, listed.
TEST(NumberPosterior, LawOfNUnderAVaguePrior) {
  constexpr double kShape = 1e-3;
  constexpr int kMost = 25;
  NumberProblem problem =
      number_problem({"exponential", {}, model::RealRange{0, 1, Rational(1), {}}, {kShape, kShape, 0, 0}});
  problem.sums = {{14, release::DiscreteGaussian(4)}};
  problem.counts = {{23, release::DiscreteGaussian(16)}};
  problem.total = LatentTotal{kMost};
  double weight = 0;
  double mean = 0;
  double square = 0;
  const auto add = [&](double prior, double p) {  // p = P(last level)
    for (int n = 0; n <= kMost; ++n) {
      const double of_n = prior * std::exp(release::log_pmf(problem.counts[0].law, 23.0 - n));
      for (int s = 0; s <= n; ++s) {
        if ((p == 1 && s < n) || (p == 0 && s > 0)) continue;
        const double log_pmf = log_factorial(n) - log_factorial(s) - log_factorial(n - s) +
                               (s > 0 ? s * std::log(p) : 0) + (s < n ? (n - s) * std::log1p(-p) : 0);
        const double w = of_n * std::exp(log_pmf + release::log_pmf(problem.sums[0].law, 14.0 - s));
        weight += w;
        mean += w * n;
        square += w * n * n;
      }
    }
  };
  constexpr double kLow = -40;
  constexpr double kStep = 0.02;
  add(std::exp(kShape * (kLow + std::log(kShape)) - log_gamma(kShape + 1)), 1);
  for (double x = kLow + kStep / 2; x < 12; x += kStep) {
    const double theta = std::exp(x);
    const double log_prior = kShape * (x + std::log(kShape)) - log_gamma(kShape) - kShape * theta;
    add(std::exp(log_prior) * kStep, std::exp(-theta / 2));
  }
  mean /= weight;
  const double sd = std::sqrt(square / weight - mean * mean);
  const NumberPosterior posterior(problem, 1);
  EXPECT_NEAR(posterior.total().mean, mean, 0.01 * sd);
  EXPECT_NEAR(posterior.total().sd, sd, 0.01 * sd);
}

}  // namespace
}  // namespace postern::infer
