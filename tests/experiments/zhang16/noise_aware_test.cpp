#include "noise_aware.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "noisy_tables.hpp"
#include "trial.hpp"

namespace postern::zhang16 {
namespace {

// Without noise the posterior is the conjugate one, and its predictions are those of its means: the coins are
// independent.
TEST(NoiseAware, IsTheConjugatePosteriorWithoutNoise) {
  Rng rng(12, 0, Purpose::test);
  const Coins truth = draw_truth(rng);
  const Tables train = count(draw_records(truth, kTrain, rng));
  const std::vector<Record> test = draw_records(truth, 200, rng);
  for (const double prior : {.5, 1., 3.}) {
    const Prediction found = noise_aware_prediction(train, kTrain, 60, {prior, prior}, test);
    const Coins mean = posterior_mean(train, prior);
    EXPECT_EQ(found.accuracy, accuracy({&mean, 1}, test));
    EXPECT_NEAR(found.log_scores.joint, log_scores(mean, test).joint, 1e-9);
    EXPECT_NEAR(found.log_scores.label, log_scores(mean, test).label, 1e-9);
  }
}

// With nothing but noise it is the prior: every record of sixteen features and a class has probability 2^-17.
TEST(NoiseAware, IsThePriorWithNothingButNoise) {
  Rng rng(12, 1, Purpose::test);
  const std::vector<Record> test = draw_records(draw_truth(rng), 50, rng);
  const Prediction found = noise_aware_prediction(Tables{}, kTrain, 1e-9, {1, 1}, test);
  EXPECT_NEAR(found.log_scores.joint, -17 * .6931471805599453, 1e-5);
  EXPECT_NEAR(found.log_scores.label, -.6931471805599453, 1e-5);
}

}  // namespace
}  // namespace postern::zhang16
