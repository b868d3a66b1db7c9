#include "accountant.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "mobility.hpp"

namespace postern::cgm17 {
namespace {

TEST(Accountant, PublishedValues) {
  // Ten thousand batches of a hundredth; a tutorial's 60,000 images in batches of 256.
  EXPECT_NEAR(epsilon_of({1.1, 0.01, 10'000}, 1e-5), 5.6543, 1e-4);
  EXPECT_NEAR(epsilon_of({1.1, 256.0 / 60'000, 14'062}, 1e-5), 2.5970, 1e-3);
}

TEST(Accountant, OneReleaseOfEverything) {
  EXPECT_NEAR(noise_for(0.5, 1e-6, 1, 1), 8.6766, 0.01);
  EXPECT_NEAR(noise_for(1, 1e-6, 1, 1), 4.5309, 0.01);
}

TEST(Accountant, MoreStepsNeedMoreNoise) {
  EXPECT_LT(noise_for(1, 1e-5, 0.01, 100), noise_for(1, 1e-5, 0.01, 1000));
  EXPECT_LT(noise_for(1, 1e-5, 0.01, 100), noise_for(1, 1e-5, 0.1, 100));
}

TEST(Mobility, NobodyWeighsMoreThanOne) {
  Rng rng(1, 0, Purpose::test);
  for (int i = 0; i < 2000; ++i) {
    double total = 0;
    for (const auto& [cell, weight] : contribution(simulate_day(rng))) {
      EXPECT_NE(cell, 0U);
      EXPECT_GE(weight, 0);
      total += weight;
    }
    EXPECT_LE(total, 1);
  }
}

}  // namespace
}  // namespace postern::cgm17
