#include "warnings/scale_prior.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"

namespace postern::infer {
namespace {

/// A mean with a normal prior of sd `times`, of which one value was seen through normal noise.
struct Conjugate {
  double seen = 0;
  double noise_variance = 1;
  [[nodiscard]] double variance(double times) const { return 1 / (1 / (times * times) + 1 / noise_variance); }
  [[nodiscard]] double mean(double times) const { return variance(times) * seen / noise_variance; }
  /// How far the mean moves, in standard deviations under the prior of sd 1.
  [[nodiscard]] double move(double times) const {
    return std::abs(mean(times) - mean(1)) / std::sqrt(variance(1));
  }
};

struct Case {
  Posterior posterior;
  std::vector<ScaleRatios> others{{0.5, {}}, {2, {}}};
};

Case draws_of(const Conjugate& model, Rng& rng) {
  constexpr std::size_t kDraws = 1000;
  Case out;
  out.posterior.names = {"theta"};
  out.posterior.labels = {"the mean"};
  out.posterior.chains = 4;
  out.posterior.iterations = kDraws;
  for (int chain = 0; chain < 4; ++chain) {
    std::vector<double>& draws = out.posterior.draws.emplace_back();
    for (std::size_t i = 0; i < kDraws; ++i)
      draws.push_back(model.mean(1) + std::sqrt(model.variance(1)) * draw_normal(rng));
    for (ScaleRatios& other : out.others) {
      for (const double x : draws)
        other.values.push_back(-0.5 * x * x * (1 / (other.times * other.times) - 1));
    }
  }
  return out;
}

TEST(ScalePrior, WarnsWhereTheMeanMoves) {
  Rng rng(1, 0, Purpose::test);
  const Conjugate strong{1.9, 0.8};  // moves by 0.90 under half, by 0.79 under twice the scale
  ASSERT_GT(strong.move(0.5), 0.85);
  const Case one = draws_of(strong, rng);
  const auto warning = scale_prior_warning(one.posterior, one.others);
  ASSERT_TRUE(warning.has_value());
  EXPECT_EQ(warning->name, "prior-decides");
  EXPECT_NE(warning->text.find("'the mean'"), std::string::npos);
  EXPECT_NE(warning->text.find("half as large"), std::string::npos);
}

TEST(ScalePrior, IsSilentWhereItDoesNot) {
  Rng rng(2, 0, Purpose::test);
  for (const Conjugate& model : {Conjugate{1.0, 0.8}, Conjugate{1.0, 0.01}, Conjugate{0, 100}}) {
    ASSERT_LT(std::max(model.move(0.5), model.move(2)), 0.48);
    const Case one = draws_of(model, rng);
    EXPECT_FALSE(scale_prior_warning(one.posterior, one.others).has_value()) << model.seen;
  }
}

// Weights with a Pareto tail of shape 2 have no mean.
TEST(ScalePrior, IsSilentWhereWeightsSayNothing) {
  Rng rng(3, 0, Purpose::test);
  Case one = draws_of({1.9, 0.8}, rng);
  for (ScaleRatios& other : one.others) {
    for (double& value : other.values) value = 2 * draw_exponential(rng);
  }
  EXPECT_FALSE(scale_prior_warning(one.posterior, one.others).has_value());
}

}  // namespace
}  // namespace postern::infer
