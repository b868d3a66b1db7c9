#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/noise/scale_mixture.hpp"

#include "oracles.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kDraws = 200'000;
constexpr double kSigmas = 4.9;  // two-sided alpha = 1e-6

struct Moments {
  double mean = 0;
  double variance = 0;
};
Moments moments(const std::vector<double>& values) {
  Moments out;
  for (const double x : values) out.mean += x / kDraws;
  for (const double x : values) out.variance += (x - out.mean) * (x - out.mean) / kDraws;
  return out;
}

// The oracles `sigma2_given_resid`, for noise of either sign. P(sigma^2 <= 75.3) = 9e-91 and its like: not
// once. Without noise, or nearly so, sigma^2 is b^2 times a chi-square.
TEST(ScaleMixture, HasTheExactMomentsAndDistribution) {
  const nlohmann::json cases = oracle("sigma2_given_resid");
  ASSERT_EQ(cases.size(), 4u);
  Rng rng(20261116, 5, Purpose::test);
  for (const nlohmann::json& test : cases) {
    const auto noise = test.at("resid").get<double>();
    const auto variance = test.at("var").get<double>();
    std::vector<double> drawn(kDraws);
    for (std::size_t i = 0; i < kDraws; ++i)
      drawn[i] = draw_mixture_variance(i % 2 == 0 ? noise : -noise, test.at("b").get<double>(), rng);
    const Moments found = moments(drawn);
    EXPECT_NEAR(found.mean, test.at("mean").get<double>(), kSigmas * std::sqrt(variance / kDraws)) << noise;
    EXPECT_NEAR(found.variance / variance, 1, 0.05) << noise;
    nlohmann::json points = test.at("cdf");
    if (noise < 1e-6)
      points.push_back({test.at("b").get<double>() * test.at("b").get<double>(), 0.6826894921370859});
    for (const nlohmann::json& point : points) {
      const auto p = point[1].get<double>();
      const auto below = std::count_if(drawn.begin(), drawn.end(), [&](double x) { return x <= point[0]; });
      EXPECT_NEAR(static_cast<double>(below) / kDraws, p, kSigmas * std::sqrt(p * (1 - p) / kDraws))
          << noise << " " << point[0];
    }
  }
}

// E 1 / sigma^2 = 1 / (b |r|). Not for |r| = 1e-8, where the deviation is ten thousand times that.
TEST(ScaleMixture, HasTheExactMeanOfThePrecision) {
  Rng rng(20261116, 6, Purpose::test);
  int seen = 0;
  for (const nlohmann::json& test : oracle("sigma2_given_resid")) {
    if (test.at("E_inv").is_null() || test.at("resid") < 1) continue;
    std::vector<double> drawn(kDraws);
    for (double& x : drawn) x = 1 / draw_mixture_variance(test.at("resid"), test.at("b"), rng);
    const Moments found = moments(drawn);
    EXPECT_NEAR(found.mean, test.at("E_inv").get<double>(), kSigmas * std::sqrt(found.variance / kDraws));
    ++seen;
  }
  EXPECT_EQ(seen, 2);
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
