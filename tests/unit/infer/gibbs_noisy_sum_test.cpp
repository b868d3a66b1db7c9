#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/noise/noisy_sum.hpp"

namespace postern::infer {
namespace {

NoisyValue laplace(double y, double b) { return {y, release::DiscreteLaplace(1 / b)}; }
NoisyValue gaussian(double y, double variance) { return {y, release::DiscreteGaussian(variance)}; }

TEST(NoisySum, IsTheProductOfTheNoisyValuesDensities) {
  const std::vector<NoisyValue> values{laplace(5, 2), gaussian(2, 6), laplace(1, 0.5), gaussian(3, 1)};
  for (const double s : {-7.5, 0.0, 1.0, 3.25, 400.0}) {
    double wanted = -std::abs(5 - s) / 2 - std::log(4.0) - std::abs(1 - s) / 0.5 - std::log(1.0);
    for (const auto& [y, variance] : {std::pair{2.0, 6.0}, {3.0, 1.0}})
      wanted -= 0.5 * ((s - y) * (s - y) / variance + std::log(2 * M_PI * variance));
    EXPECT_NEAR(NoisySum(values).log_density(s), wanted, 1e-12 * (1 + std::abs(wanted)));
  }
}

TEST(NoisySum, CentreWeighsEachValueByItsPrecision) {
  const std::vector<NoisyValue> values{laplace(6, 1), gaussian(2, 1)};  // precisions 1/2 and 1
  EXPECT_NEAR(NoisySum(values).centre(), 10.0 / 3, 1e-14);
  EXPECT_NEAR(NoisySum(values).noise_variance(), 2.0 / 3, 1e-14);
}

TEST(NoisySum, OfNothingSaysNothing) {
  const NoisySum none;
  EXPECT_FALSE(none.seen());
  EXPECT_EQ(none.log_density(7), 0);
  EXPECT_EQ(none.noise_variance(), std::numeric_limits<double>::infinity());
}

TEST(NoisySum, StaysFiniteAtExtremes) {
  for (const double y : {-1e15, 1e15}) {
    for (const double b : {1e-6, 1e15}) {
      const NoisySum sum(std::vector{laplace(y, b), gaussian(-y, b * b)});
      EXPECT_TRUE(std::isfinite(sum.log_density(0)));
      EXPECT_TRUE(std::isfinite(sum.centre()));
    }
  }
}

}  // namespace
}  // namespace postern::infer
