#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/gibbs/scale_mixture.hpp"

namespace postern::infer {
namespace {

constexpr int kDraws = 200'000;
constexpr double kSigmas = 4.9;  // two-sided alpha = 1e-6

struct Fact {
  double noise, scale, mean, variance;
  double at, below;  ///< P(sigma^2 <= at)
};

// The oracles `sigma2_given_resid`: mean b |r| + b^2, variance b^3 |r| + 2 b^4.
TEST(ScaleMixture, HasTheExactMomentsAndDistribution) {
  const Fact facts[] = {
      {3, 10, 130, 23000, 39, 0.3120292365985854},  {-3, 10, 130, 23000, 130, 0.6635204953729602},
      {3, 10, 130, 23000, 260, 0.8574386039052324}, {0, 1, 1, 2, 1, 0.6826894921370859},
      {0, 1, 1, 2, 0.1, 0.24817036595415076},       {1e-8, 2, 4.00000002, 32.00000008, 4, 0.6826894921370859},
      {250, 1, 251, 252, 251, 0.5125863241383499}};
  Rng rng(20261116, 5, Purpose::test);
  for (const Fact& fact : facts) {
    double sum = 0;
    double below = 0;
    double square = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double x = draw_mixture_variance(fact.noise, fact.scale, rng);
      sum += x;
      square += (x - fact.mean) * (x - fact.mean);
      below += x <= fact.at ? 1 : 0;
    }
    const double error = std::sqrt(fact.variance / kDraws);
    EXPECT_NEAR(sum / kDraws, fact.mean, kSigmas * error);
    EXPECT_NEAR(square / kDraws / fact.variance, 1, 0.05);
    EXPECT_NEAR(below / kDraws, fact.below, kSigmas * std::sqrt(fact.below * (1 - fact.below) / kDraws));
  }
}

// E 1 / sigma^2 = 1 / (b |r|)
TEST(ScaleMixture, HasTheExactMeanOfThePrecision) {
  Rng rng(20261116, 6, Purpose::test);
  double sum = 0;
  double square = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = 1 / draw_mixture_variance(30, 10, rng);
    sum += x;
    square += x * x;
  }
  const double mean = sum / kDraws;
  EXPECT_NEAR(mean, 1.0 / 300, kSigmas * std::sqrt((square / kDraws - mean * mean) / kDraws));
}

TEST(ScaleMixture, IsFiniteForEveryNoise) {
  Rng rng(1, 1, Purpose::test);
  for (const double scale : {1e-3, 1.0, 1e9}) {
    for (const double noise : {0.0, 1e-300, 1e300 / scale, 1e15}) {
      for (int i = 0; i < 1000; ++i) {
        const double x = draw_mixture_variance(noise, scale, rng);
        ASSERT_TRUE(std::isfinite(x) && x > 0) << noise << " " << scale;
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
