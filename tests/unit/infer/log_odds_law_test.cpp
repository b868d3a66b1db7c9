// theta of two cells with a private n, by Poisson counts: against every pair of counts.

#include "kinds/table/exact/log_odds_law.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"

#include "kinds/table/exact/poisson_likelihood.hpp"
#include "numeric/even_grid_law.hpp"

namespace postern::infer {
namespace {

NoisyValue laplace(double y, double rate) { return {y, release::DiscreteLaplace(rate)}; }
NoisyValue gaussian(double y, double variance) { return {y, release::DiscreteGaussian(variance)}; }

double log_noise(const std::vector<NoisyValue>& noisy_values, double s) {
  double sum = 0;
  for (const NoisyValue& noisy_value : noisy_values)
    sum += release::log_pmf(noisy_value.law, noisy_value.y - s);
  return sum;
}

/// All pairs of counts whose sum is a multiple and at most the bound: the definition itself.
struct EveryPair {
  explicit EveryPair(const CountProblem& problem) : a(problem.alpha[0]), b(problem.alpha[1]) {
    const auto& latent = std::get<LatentTotal>(problem.total);
    for (std::int64_t n = 0; n <= latent.at_most; n += problem.multiple) {
      for (std::int64_t s = 0; s <= n; ++s) {
        const auto x = static_cast<double>(s);
        const auto y = static_cast<double>(n - s);
        const double weight = std::exp(log_choose(x + y, x) + log_beta(a + x, b + y) - log_beta(a, b) +
                                       latent.log_slope * (x + y) + log_noise(problem.noisy_values[0], x) +
                                       log_noise(problem.noisy_values[1], y));
        pairs.push_back({x, y, weight});
        whole += weight;
      }
    }
  }
  template <class F>
  [[nodiscard]] double mean(const F& f) const {
    double sum = 0;
    for (const Pair& pair : pairs) sum += pair.weight * f(a + pair.x, b + pair.y);
    return sum / whole;
  }

  struct Pair {
    double x, y, weight;
  };
  double a, b;
  std::vector<Pair> pairs;
  double whole = 0;
};

void expect_same(const CountProblem& problem) {
  const CountTree tree(CountPlan(problem, 46), 1);
  const std::optional<LogOddsLaw> law = LogOddsLaw::of_pair(tree, {problem.alpha[0], problem.alpha[1]});
  ASSERT_TRUE(law);
  const EveryPair truth(problem);
  const double mean = truth.mean([](double a, double b) { return a / (a + b); });
  const double square = truth.mean([](double a, double b) { return a * (a + 1) / ((a + b) * (a + b + 1)); });
  EXPECT_NEAR(law->mean(0), mean, 1e-12);
  EXPECT_NEAR(law->mean(1), 1 - mean, 1e-12);
  EXPECT_NEAR(law->sd(), std::sqrt(square - mean * mean), 1e-11);
  for (const double theta : {0.02, 0.1, 0.3, 0.5, 0.8}) {
    const double below = truth.mean([&](double a, double b) { return beta_cdf(a, b, theta); });
    EXPECT_NEAR(law->cdf(0, theta), below, 2e-12) << theta;
    EXPECT_NEAR(law->cdf(1, 1 - theta), 1 - below, 2e-12) << theta;
  }
  for (const double p : {0.001, 0.05, 0.5, 0.95, 0.999}) {
    EXPECT_NEAR(law->cdf(0, law->quantile(0, p)), p, 1e-12);
    EXPECT_NEAR(law->quantile(1, p), 1 - law->quantile(0, 1 - p), 1e-12);
  }
}

TEST(LogOddsLaw, IsThatOfEveryPairOfCounts) {
  const CountProblem plain{{2, 3}, {{laplace(9, 0.7)}, {laplace(14, 0.9)}}, LatentTotal{220, 0}};
  for (const std::int64_t multiple : {1, 2, 3, 7}) {
    SCOPED_TRACE(multiple);
    CountProblem problem = plain;
    problem.multiple = multiple;
    expect_same(problem);
    problem.alpha = {0.5, 0.5};
    problem.total = LatentTotal{220, -0.03};
    expect_same(problem);
  }
}

TEST(LogOddsLaw, FollowsEveryKindOfNoisyValue) {
  for (const std::int64_t multiple : {1, 4}) {
    SCOPED_TRACE(multiple);
    CountProblem problem{{1, 1}, {{gaussian(11, 9)}, {gaussian(30, 4)}}, LatentTotal{300, 0}, multiple};
    expect_same(problem);
    problem.noisy_values = {{laplace(7.4, 0.8), laplace(12, 1.1), laplace(12, 0.6)},
                            {gaussian(8, 16), laplace(3, 0.5)}};
    expect_same(problem);
    problem.noisy_values = {{laplace(-20, 0.9)}, {laplace(25, 2)}};
    expect_same(problem);
  }
}

TEST(LogOddsLaw, LeavesABoundThatCutsToTheMixture) {
  const CountProblem problem{{1, 1}, {{laplace(40, 0.1)}, {laplace(50, 0.1)}}, LatentTotal{95, 0}};
  EXPECT_FALSE(LogOddsLaw::of_pair(CountTree(CountPlan(problem, 46), 1), {1, 1}));
}

// One of three cells against the other two: the mixture of Betas, where that is not rough.
TEST(LogOddsLaw, IsTheMixtureOfBetas) {
  for (const double alpha : {0.5, 3.0}) {
    const CountProblem problem{{alpha, alpha, alpha},
                               {{laplace(120, 0.2)}, {gaussian(280, 50)}, {laplace(600, 0.1)}},
                               LatentTotal{3000, 0}};
    const CountTree tree(CountPlan(problem, 46), 1);
    tree.visit_outside([&](std::size_t cell, const Message& outside) {
      const AlphaSplit split{alpha, 2 * alpha};
      const CellPosterior mixture = make_cell_posterior(tree.leaf(cell), outside, split, tree);
      ASSERT_FALSE(mixture.rough);
      const std::optional<LogOddsLaw> law = LogOddsLaw::of_cell(tree, tree.leaf(cell), outside, split);
      ASSERT_TRUE(law);
      EXPECT_NEAR(law->mean(0), mixture.theta.mean(), 1e-12);
      EXPECT_NEAR(law->sd(), mixture.theta.sd(), 1e-12);
      for (const double p : {1e-6, 0.05, 0.5, 0.95})
        EXPECT_NEAR(mixture.theta.cdf(law->quantile(0, p)), p, 2e-12);
    });
  }
}

// Ten thousand records under wide noise, where few nodes a Beta would not do. A bound that
// cuts, if only 1e-9 off, leaves theta to the mixture, which must agree with no bound to speak of.
TEST(LogOddsLaw, AgreesWithTheMixtureUnderWideNoise) {
  CountProblem problem{{2, 3}, {{laplace(1200, 0.01)}, {laplace(8800, 0.01)}}, LatentTotal{40'000, 0}};
  const CountPosterior free(problem, std::size_t{1} << 30, 1);
  for (const std::int64_t bound : {12'000, 14'400}) {
    problem.total = LatentTotal{bound, 0};
    const CountPosterior bounded(problem, std::size_t{1} << 30, 1);
    for (std::size_t cell = 0; cell < 2; ++cell) {
      for (const double p : {0.01, 0.05, 0.5, 0.95, 0.99})
        EXPECT_NEAR(bounded.cdf(cell, free.quantile(cell, p)), p, 1e-6) << bound;
    }
  }
}

// Three cells whose mixture would be rough.
TEST(LogOddsLaw, OfThreeCellsIsThatOfDraws) {
  const CountProblem problem{{1, 1, 1},
                             {{laplace(1200, 0.01)}, {laplace(2800, 0.01)}, {laplace(6000, 0.01)}},
                             LatentTotal{20'000, 0}};
  const CountPosterior posterior(problem, std::size_t{1} << 30, 1);
  constexpr int kDraws = 40'000;
  std::vector<double> theta(3);
  std::vector<std::int64_t> counts(3);
  for (std::size_t cell = 0; cell < 3; ++cell) {
    const double quartile = posterior.quantile(cell, 0.25);
    Rng rng(2026, static_cast<std::uint32_t>(cell), Purpose::draws);
    int below = 0;
    for (int i = 0; i < kDraws; ++i) {
      posterior.draw(theta, counts, rng);
      below += theta[cell] < quartile ? 1 : 0;
    }
    // alpha = 1e-6: five standard deviations of a share of a quarter.
    EXPECT_NEAR(static_cast<double>(below) / kDraws, 0.25, 5 * std::sqrt(0.25 * 0.75 / kDraws)) << cell;
  }
}

// Means and remainders of counts, kinks anywhere, from far below to far above them.
TEST(PoissonLikelihood, IsASumOverCounts) {
  const std::vector<std::vector<NoisyValue>> cells{{laplace(60, 0.2)},
                                                   {laplace(60.5, 2), laplace(40, 0.1)},
                                                   {gaussian(60, 25), laplace(70, 0.3)},
                                                   {laplace(0, 0.4)}};
  constexpr std::int64_t kModulus = 5;
  for (const auto& noisy_values : cells) {
    const CellNoise noise(noisy_values, 1000);
    PoissonLikelihood means(noise, -0.01, kModulus);
    for (const double x : {0.01, 3.0, 25.0, 59.0, 90.0, 400.0, 0.5}) {
      std::vector<double> part(kModulus, 0.0);
      double whole = 0;
      for (std::int64_t s = 0; s < 900; ++s) {
        const auto k = static_cast<double>(s);
        const double weight = std::exp(poisson_log_pmf(k, x) - 0.01 * k + noise.log_at(k));
        part[static_cast<std::size_t>(s % kModulus)] += weight;
        whole += weight;
      }
      std::vector<double> uneven(kModulus);
      EXPECT_NEAR(means.mean(x, uneven).log, std::log(whole), 1e-12 * (1 + std::abs(std::log(whole)))) << x;
      means.unevenness(x, uneven);
      for (std::size_t c = 0; c < part.size(); ++c) EXPECT_NEAR(uneven[c], part[c] / whole - 0.2, 1e-13) << x;
    }
  }
}

TEST(EvenGridLaw, IsTheNormalLawThatItIsGiven) {
  constexpr double kSd = 0.37;
  constexpr double kStep = kSd / 5;
  std::vector<double> density;
  for (int i = -50; i <= 50; ++i) density.push_back(std::exp(-0.5 * (i / 5.0) * (i / 5.0)));
  const EvenGridLaw law(-50, kStep, density);
  for (double z = -2.5; z < 2.5; z += 0.0301) EXPECT_NEAR(law.cdf(z), normal_cdf(z / kSd), 1e-13) << z;
  for (const double p : {1e-9, 0.01, 0.3, 0.5, 0.77, 0.999}) {
    EXPECT_NEAR(law.quantile(p), kSd * normal_quantile(p), 1e-12 + 1e-4 * kSd * (p < 1e-6)) << p;
  }
}

}  // namespace
}  // namespace postern::infer
