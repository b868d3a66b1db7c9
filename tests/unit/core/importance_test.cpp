#include "postern/core/importance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"

namespace postern {
namespace {

double weighted_mean(const ImportanceWeights& weights, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weights.weight[i] * values[i];
  return sum;
}

// From so many exceedances k is known to about (1 + k) / sqrt(2000), here at most .045.
TEST(Importance, FindsTheShapeOfAParetoTail) {
  for (const double k : {-0.5, 0.2, 0.7, 1.0}) {
    Rng rng(1, 0, Purpose::test);
    std::vector<double> values;
    for (int i = 0; i < 2000; ++i) values.push_back(2.5 * std::expm1(-k * std::log(rng.uniform())) / k);
    std::sort(values.begin(), values.end());
    const ParetoFit fit = fit_pareto(values);
    EXPECT_NEAR(fit.k, k, 5 * 0.045) << k;
    EXPECT_NEAR(fit.scale, 2.5, 0.5) << k;
  }
}

// Weights exp(t x) of standard exponential draws have a Pareto tail of shape t.
TEST(Importance, SaysWhereWeightsAreNotToBeReliedOn) {
  Rng rng(2, 0, Purpose::test);
  for (const double t : {0.2, 1.2}) {
    std::vector<double> ratios;
    for (int i = 0; i < 4000; ++i) ratios.push_back(t * draw_exponential(rng));
    EXPECT_NEAR(smoothed_weights(ratios).pareto_k, t, 0.35) << t;
  }
}

TEST(Importance, MovesAMean) {
  Rng rng(3, 0, Purpose::test);
  std::vector<double> draws, ratios;
  for (int i = 0; i < 4000; ++i) {
    draws.push_back(draw_normal(rng));
    ratios.push_back(0.8 * draws.back() - 700);  // to a normal law about 0.8
  }
  const ImportanceWeights weights = smoothed_weights(ratios);
  EXPECT_LT(weights.pareto_k, 0.7);
  EXPECT_NEAR(weighted_mean(weights, draws), 0.8, 5 * std::exp(0.32) / std::sqrt(4000.0));
}

TEST(Importance, EqualRatiosAreEqualWeights) {
  const ImportanceWeights weights = smoothed_weights(std::vector<double>(100, -3));
  EXPECT_EQ(weights.pareto_k, 0);
  for (const double one : weights.weight) EXPECT_NEAR(one, 0.01, 1e-15);
}

TEST(Importance, SaysNothingOfFewOrBrokenRatios) {
  EXPECT_TRUE(std::isinf(smoothed_weights(std::vector<double>{1, 2, 3}).pareto_k));
  std::vector<double> broken(100, 0);
  broken[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf(smoothed_weights(broken).pareto_k));
  EXPECT_TRUE(std::isinf(smoothed_weights({}).pareto_k));
}

}  // namespace
}  // namespace postern
