#include "privacy_loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "method.hpp"
#include "posterior_draw.hpp"
#include "trial.hpp"

namespace postern::zhang16 {
namespace {

TEST(DrawLoss, OfACoinNearsItsBound) {
  EXPECT_NEAR(draw_loss(0, 1, .1, 1), 2.1972, 5e-5);
  EXPECT_NEAR(draw_loss(0, 10, .1, 1), 3.7013, 5e-5);
  EXPECT_NEAR(draw_loss(0, 100, .1, 1), 4.2991, 5e-5);
  EXPECT_LT(draw_loss(0, 1000, .1, 1), 2 * std::log(9));
}

/// log-density of a coin's posterior at an end of [omega, 1 - omega], normalised by the midpoint rule.
double log_density(double ones, double zeros, double omega, double theta) {
  constexpr int kSteps = 20'000;
  double mass = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double x = omega + (1 - 2 * omega) * (i + .5) / kSteps;
    mass += std::pow(x, ones) * std::pow(1 - x, zeros) * (1 - 2 * omega) / kSteps;
  }
  return ones * std::log(theta) + zeros * std::log1p(-theta) - std::log(mass);
}

double row_loss(const std::array<double, 2>& a, const std::array<double, 2>& b, double omega) {
  double worst = -1;  // log-ratios of a coin's densities are monotone: the largest is at an end
  for (const double theta : {omega, 1 - omega})
    worst = std::max(worst, log_density(a[1], a[0], omega, theta) - log_density(b[1], b[0], omega, theta));
  return worst;
}

// One feature, two records: all data sets and all neighbours.
TEST(DrawLoss, IsThatOfEnumeration) {
  constexpr double kOmega = .3;
  double worst = 0;
  const auto tables = [](const std::array<unsigned, 2>& data) {
    std::array<std::array<double, 2>, 3> rows{};  // class, feature given 0, feature given 1
    for (const unsigned record : data) {
      ++rows[0][record & 1U];
      ++rows[1 + (record & 1U)][record >> 1U];
    }
    return rows;
  };
  for (unsigned kept = 0; kept < 4; ++kept) {
    for (unsigned x = 0; x < 4; ++x) {
      for (unsigned y = 0; y < 4; ++y) {
        const auto a = tables({kept, x});
        const auto b = tables({kept, y});
        double loss = 0;
        for (std::size_t row = 0; row < 3; ++row) loss += row_loss(a[row], b[row], kOmega);
        worst = std::max(worst, loss);
      }
    }
  }
  EXPECT_NEAR(draw_loss(1, 2, kOmega, 1), worst, 1e-6);
}

// The paper's omega claims 2, 5, 10, 20; 34 ln((1 - omega) / omega) bounds the truth.
TEST(DrawLoss, OfThePrintedSamplerIsFarAboveItsClaim) {
  for (const auto& [epsilon, at_least] : {std::pair{2., 16.2}, {5., 73.5}, {10., 134.}, {20., 222.}}) {
    const double omega = printed_omega(epsilon);
    const double loss = draw_loss(kFeatures, kTrain, omega, 1);
    EXPECT_GT(loss, at_least);
    EXPECT_LT(loss, 34 * std::log((1 - omega) / omega));
  }
  EXPECT_TRUE(std::isnan(true_epsilon(Method::sampler_printed, 1)));
}

TEST(DrawLoss, OfTheCorrectedOnesIsBelowTheirClaim) {
  for (const double epsilon : {.1, 1., 10., 50.}) {
    for (const Method method : {Method::sampler, Method::sampler_10, Method::tempered_05, Method::tempered_20,
                                Method::tempered_35, Method::private_map}) {
      EXPECT_LE(true_epsilon(method, epsilon), epsilon);
    }
  }
  EXPECT_GT(true_epsilon(Method::sampler, 10), 8.29);
}

TEST(Algorithm3, IsNotWhatItClaims) {
  EXPECT_NEAR(algorithm_3_loss(10, .1, 1), 1.61, .005);
  EXPECT_NEAR(algorithm_3_loss(50, .1, 1), 3.22, .005);
  EXPECT_NEAR(algorithm_3_loss(100, .1, 1), 3.71, .005);
  EXPECT_NEAR(density_sensitivity(10, .1), 6.1, .05);
  EXPECT_NEAR(density_sensitivity(1000, .1), 11.0, .05);  // Corollary 4 has 1.48
}

}  // namespace
}  // namespace postern::zhang16
