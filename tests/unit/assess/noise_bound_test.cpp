#include "postern/assess/bounds/noise_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "postern/assess/bounds/clipped_count.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"

namespace postern::assess {
namespace {

// Naive Bayes with 16 binary features: 66 cells, of which a replaced record moves 34.
CellNoise naive_bayes(double epsilon) { return {epsilon / 34, 66}; }

TEST(NoiseBound, OfNaiveBayes) {
  EXPECT_NEAR(continuous_noise_bound(naive_bayes(.5), .05), 488.61, .005);
  EXPECT_EQ(discrete_noise_union_bound(naive_bayes(.5), .05), 489);
  EXPECT_EQ(discrete_noise_bound(naive_bayes(.5), .05), 487);
  EXPECT_NEAR(continuous_noise_bound(naive_bayes(5), .5), 33.20, .005);
  EXPECT_EQ(discrete_noise_union_bound(naive_bayes(5), .5), 33);
  EXPECT_EQ(discrete_noise_bound(naive_bayes(5), .5), 31);
}

TEST(NoiseBound, IsTheLeastIntegerThatHolds) {
  for (const double rate : {.001, .1, 1., 3., 40.}) {
    for (const std::size_t cells : {1U, 2U, 66U, 100'000U}) {
      for (const double delta : {1e-9, .05, .5, .99}) {
        const double z = discrete_noise_bound({rate, cells}, delta);
        const auto holds = [&](double at) {
          const double beyond = 2 * std::exp(-rate * (at + 1)) / (1 + std::exp(-rate));
          return static_cast<double>(cells) * std::log1p(-beyond);
        };
        EXPECT_GE(holds(z), std::log1p(-delta) - 1e-9);
        if (z > 0) {
          EXPECT_LT(holds(z - 1), std::log1p(-delta) + 1e-9);
        }
        EXPECT_LE(z, discrete_noise_union_bound({rate, cells}, delta));
      }
    }
  }
}

double draw_noise(double rate, Rng& rng) {
  return std::floor(draw_exponential(rng) / rate) - std::floor(draw_exponential(rng) / rate);
}

// n = 10^5. A right bound is violated more often than delta + 5 sqrt(delta / n) once in 10^6 times.
TEST(NoiseBound, IsViolatedNoMoreOftenThanItSays) {
  constexpr double kDelta = .05;
  constexpr int kRuns = 100'000;
  const CellNoise noise = naive_bayes(.5);
  const double z = discrete_noise_bound(noise, kDelta);
  Rng rng(1, 0, Purpose::test);
  int violated = 0;
  int one_less = 0;
  for (int run = 0; run < kRuns; ++run) {
    double largest = 0;
    for (std::size_t cell = 0; cell < noise.cells; ++cell)
      largest = std::max(largest, std::abs(draw_noise(noise.rate, rng)));
    violated += largest > z ? 1 : 0;
    one_less += largest > z - 1 ? 1 : 0;
  }
  EXPECT_LE(violated, kRuns * (kDelta + 5 * std::sqrt(kDelta / kRuns)));
  EXPECT_GE(one_less, kRuns * (kDelta - 5 * std::sqrt(kDelta / kRuns)));
}

TEST(NoiseBound, RefusesWhatIsNoNoise) {
  EXPECT_THROW((void)continuous_noise_bound({0, 66}, .1), Error);
  EXPECT_THROW((void)discrete_noise_union_bound({-1, 66}, .1), Error);
  EXPECT_THROW((void)discrete_noise_bound({NAN, 66}, .1), Error);
  EXPECT_THROW((void)discrete_noise_bound({HUGE_VAL, 66}, .1), Error);
  EXPECT_THROW((void)discrete_noise_bound({1, 0}, .1), Error);
  for (const double delta : {0., 1., -1., double{NAN}}) {
    EXPECT_THROW((void)discrete_noise_bound({1, 66}, delta), Error);
  }
}

TEST(ClippedCount, HasTheLawByHand) {
  const ClippedCount count(3, 50, 1 / 6.8);
  EXPECT_NEAR(count.pmf(0), .34524703, 1e-8);
  EXPECT_NEAR(count.mean(), 5.17591150, 1e-8);
  EXPECT_EQ(count.pmf(-1), 0);
  EXPECT_EQ(count.pmf(51), 0);
  for (const std::int64_t c : {0, 3, 25, 49, 50}) {
    const ClippedCount law(c, 50, .2);
    double total = 0;
    double mean = 0;
    for (std::int64_t z = 0; z <= 50; ++z) {
      total += law.pmf(z);
      mean += law.pmf(z) * static_cast<double>(z);
    }
    EXPECT_NEAR(total, 1, 1e-14);
    EXPECT_NEAR(mean, law.mean(), 1e-12);
  }
  EXPECT_THROW(ClippedCount(4, 3, 1), Error);
  EXPECT_THROW(ClippedCount(-1, 3, 1), Error);
  EXPECT_THROW(ClippedCount(0, 0, 1), Error);
  EXPECT_THROW(ClippedCount(0, 3, 0), Error);
}

// The printed mean counts the mass at n twice: 32.75 here.
TEST(ClippedCount, OfContinuousNoiseHasTheMeanOfASum) {
  constexpr double kScale = 34;
  double mean = 0;
  constexpr int kSteps = 2'000'000;
  for (int i = 0; i < kSteps; ++i) {
    const double u = (i + .5) / kSteps;
    const double noise = u < .5 ? kScale * std::log(2 * u) : -kScale * std::log(2 - 2 * u);
    mean += std::clamp(20 + noise, 0., 50.) / kSteps;
  }
  EXPECT_NEAR(clipped_continuous_mean(20, 50, kScale), 22.4055, 5e-5);
  EXPECT_NEAR(mean, clipped_continuous_mean(20, 50, kScale), 1e-6);
}

}  // namespace
}  // namespace postern::assess
