#include "noisy_tables.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/bounds/map_bound.hpp"

#include "density.hpp"
#include "posterior_draw.hpp"
#include "trial.hpp"

namespace postern::zhang16 {
namespace {

std::vector<double> cells(Tables tables) {
  std::vector<double> out;
  for_each_cell(tables, [&](double& cell) { out.push_back(cell); });
  return out;
}

Tables some_counts(std::uint32_t stream) {
  Rng rng(4, stream, Purpose::test);
  return count(draw_records(draw_truth(rng), kTrain, rng));
}

TEST(NoisyTables, TransformIsInvertible) {
  const Tables tables = some_counts(0);
  const auto before = cells(tables);
  const auto after = cells(invert(transform(tables)));
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_DOUBLE_EQ(before[i], after[i]);
}

TEST(NoisyTables, RepairsKeepWhatTheyPromise) {
  Rng rng(5, 0, Purpose::test);
  for (std::uint32_t run = 0; run < 50; ++run) {
    const Coefficients exact = transform(some_counts(run));
    Coefficients noisy = add_discrete_laplace(exact, 1. / 64, rng);
    EXPECT_EQ(noisy.total, kTrain);
    const auto shrunk = cells(invert(shrink(noisy)));
    EXPECT_NEAR(shrunk[0] + shrunk[1], kTrain, 1e-9);
    EXPECT_GT(*std::min_element(shrunk.begin(), shrunk.end()), -1e-9);
    noisy.total += least_increment(noisy);
    const auto raised = cells(invert(noisy));
    EXPECT_NEAR(*std::min_element(raised.begin(), raised.end()), 0, 1e-9);
    for (std::size_t i = 0; i < kFeatures; ++i) {  // one coefficient a set: every family agrees on the class
      const std::size_t at = 2 + 4 * i;
      EXPECT_NEAR(raised[at] + raised[at + 1], raised[0], 1e-9);
      EXPECT_NEAR(raised[at + 2] + raised[at + 3], raised[1], 1e-9);
    }
  }
  EXPECT_EQ(least_increment(transform(some_counts(0))), 0);
}

// 2 10^5 draws; the margins are about five standard errors of the quantiles.
TEST(NoisyTables, IncrementOfStealthHasTheKnownQuantiles) {
  Rng rng(6, 0, Purpose::test);
  EXPECT_NEAR(stealth_increment(.5, 200'000, rng), 5.588, .04);
  EXPECT_NEAR(stealth_increment(.9, 200'000, rng), 8.622, .05);
  EXPECT_NEAR(stealth_increment(.99, 200'000, rng), 11.90, .25);
}

// Corollary 3 says at most e^-t. 10^5 draws, where it is .9838: five standard errors are .002.
TEST(NoisyTables, PrintedStealthFailsMoreOftenThanItSays) {
  const Record zeros;
  const Coefficients exact = transform(count({&zeros, 1}));
  const double scale = kPrintedFourierSensitivity / .01;
  Rng rng(7, 0, Purpose::test);
  int failed = 0;
  for (int i = 0; i < 100'000; ++i)
    failed += least_increment(add_laplace(exact, scale, rng)) > 2 * .02 * kCoefficients * scale ? 1 : 0;
  EXPECT_NEAR(failed / 1e5, .9838, .002);
  EXPECT_GT(failed / 1e5, std::exp(-.02));
}

// 4 10^5 draws: the variance of a cell is 3/4 of that with noise on the total too, 2 b^2 / 4; within 2 %.
TEST(NoisyTables, FourierCellsHaveTheKnownVariance) {
  Rng rng(8, 0, Purpose::test);
  double square = 0;
  constexpr int kRuns = 25'000;
  for (int run = 0; run < kRuns; ++run) {
    const Tables noise = invert(add_discrete_laplace(Coefficients{}, 1. / 64, rng));
    for (std::size_t i = 0; i < kFeatures; ++i)
      square += std::pow(noise.feature[i][i % 2][0], 2) / (kRuns * kFeatures);
  }
  EXPECT_NEAR(square, 1535.97, .02 * 1535.97);
}

TEST(Density, MakesFourierNoiseWorse) {
  const std::vector<double> printed = {26, 33.9411, 44, 56.5685, 72};
  const std::vector<double> exact = {24, 24.0416, 28, 33.9411, 44};
  for (std::size_t order = 0; order < printed.size(); ++order) {
    const ChainNoise noise = chain_noise(12, order);
    EXPECT_NEAR(noise.laplace, 33.9411, 1e-4);
    EXPECT_NEAR(noise.fourier_printed, printed[order], 1e-4);
    EXPECT_NEAR(noise.fourier, exact[order], 1e-4);
  }
  EXPECT_EQ(chain_noise(9, 1).coefficients, 18U);
}

struct Gap {
  double mean = 0;
  double beyond = 0;  ///< the share above the bound's quantile
};
Gap gap_of_map(double omega, double tempering, double delta, std::size_t runs, std::uint32_t stream) {
  const Tables counts = some_counts(stream);
  const CutPosterior posterior(counts, omega, tempering);
  const double best = best_log_likelihood(counts, omega);
  const double quantile = assess::concave_gap_quantile({tempering, 2 * kFeatures + 1}, delta);
  Rng rng(9, stream, Purpose::test);
  Gap out;
  for (std::size_t i = 0; i < runs; ++i) {
    const double gap = best - log_likelihood(posterior.draw(rng), counts);
    EXPECT_GE(gap, -1e-9);
    out.mean += gap / static_cast<double>(runs);
    out.beyond += (gap > quantile ? 1. : 0.) / static_cast<double>(runs);
  }
  return out;
}

// n = 20000 draws: the mean within five standard errors (sd at most that of the dominating law), the quantile
// exceeded more often than delta + 5 sqrt(delta / n) once in 10^6 times.
TEST(PrivateMap, FallsShortByLessThanAGamma) {
  constexpr std::size_t kRuns = 20'000;
  constexpr double kDelta = .05;
  const double slack = kDelta + 5 * std::sqrt(kDelta / kRuns);
  for (const auto& [omega, tempering] :
       {std::pair{.2, priced_tempering(.2, 10)}, {.2, 3.}, {.05, 1.}, {.45, .01}}) {
    const Gap gap = gap_of_map(omega, tempering, kDelta, kRuns, 1);
    const double bound = assess::concave_gap_mean({tempering, 2 * kFeatures + 1});
    EXPECT_LE(gap.mean, bound * (1 + 5 / std::sqrt(33. * kRuns)));
    EXPECT_LE(gap.beyond, slack);
  }
}

}  // namespace
}  // namespace postern::zhang16
