#include <gtest/gtest.h>

#include "postern/infer/noise/totals_noise.hpp"

namespace postern::infer {
namespace {

NumberProblem problem_of(std::vector<NoisyValue> sums) {
  NumberProblem problem;
  problem.number.values.adds = {-2, -1, 0, 1, 2, 3};
  problem.total = KnownTotal{10};
  problem.sums = std::move(sums);
  return problem;
}

double log_pmf_of(const std::vector<NoisyValue>& noisy_values, double value) {
  double sum = 0;
  for (const NoisyValue& noisy_value : noisy_values)
    sum += release::log_pmf(noisy_value.law, noisy_value.y - value);
  return sum;
}

const release::NoiseLaw kLaplace = release::DiscreteLaplace(0.3);
const release::NoiseLaw kGaussian = release::DiscreteGaussian(7);

TEST(TotalsNoise, IsTheRatioOfTheNoisesProbabilities) {
  NumberProblem problem = problem_of({{4, kLaplace}, {-3, kGaussian}, {9, kGaussian}});
  problem.square_sums = {{30, kLaplace}, {20, kGaussian}};
  problem.mirrored_sums = {{25, kLaplace}};
  problem.counts = {{8, kGaussian}, {12, kLaplace}};
  problem.total = LatentTotal{20};
  const TotalsNoise noise(problem, 20);
  const auto log_pmf = [&](const Totals& at) {
    return log_pmf_of(problem.sums, at.sum) + log_pmf_of(problem.square_sums, at.squares) +
           log_pmf_of(problem.mirrored_sums, 3 * at.n - at.sum) + log_pmf_of(problem.counts, at.n);
  };
  const Totals from{10, 2, 25};
  for (const Totals& to : {Totals{10, 7, 40}, Totals{9, -4, 20}, Totals{15, 2, 25}, from}) {
    EXPECT_NEAR(noise.log_ratio(to, from), log_pmf(to) - log_pmf(from), 1e-12);
    EXPECT_GE(noise.max_log_gain(to.n, from) + 1e-12, noise.log_ratio(to, from));
  }
  EXPECT_FALSE(noise.one_kink());
}

TEST(TotalsNoise, KnowsWhenOneLaplaceNoisyValueIsAll) {
  EXPECT_TRUE(TotalsNoise(problem_of({{4, kLaplace}}), 10).one_kink());
  EXPECT_FALSE(TotalsNoise(problem_of({{4, kLaplace}, {4, kLaplace}}), 10).one_kink());
  EXPECT_FALSE(TotalsNoise(problem_of({{4, kGaussian}}), 10).one_kink());
  NumberProblem problem = problem_of({{4, kLaplace}});
  problem.counts = {{10, kGaussian}};
  EXPECT_TRUE(TotalsNoise(problem, 10).one_kink());
  problem.mirrored_sums = {{10, kLaplace}};
  EXPECT_FALSE(TotalsNoise(problem, 10).one_kink());
}

// 1e15 has no room for the differences of small sums if they are taken after subtraction.
TEST(TotalsNoise, KeepsItsDigitsFarFromWhatWasSeen) {
  const release::NoiseLaw sharp = release::DiscreteLaplace(1e3);
  for (const double y : {1e15, -1e15, 1e300}) {
    const TotalsNoise noise(problem_of({{y, sharp}}), 10);
    EXPECT_EQ(noise.log_ratio({10, 1, 0}, {10, 0, 0}), y > 0 ? 1e3 : -1e3);
  }
}

}  // namespace
}  // namespace postern::infer
