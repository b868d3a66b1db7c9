// Densities on a line through costly logarithms: right, and with how few of them.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"

#include "kinds/number/exact/theta/line_density.hpp"
#include "numeric/panel_nodes.hpp"

namespace postern::infer {
namespace {

/// A log density, and how often it was asked for.
struct Counted {
  std::function<double(double)> log_density;
  std::atomic<int> asked = 0;

  LineDensity density(const Line& line) {
    return LineDensity(
        [this](double z, const AccuracyGoal&) {
          ++asked;
          return log_density(z);
        },
        line, 1);
  }
};

/// log of the integral by the trapezoid rule, whose error is negligible for what falls off at both ends.
double log_trapezoid(const std::function<double(double)>& log_density, double lo, double hi) {
  constexpr int kSteps = 400'000;
  std::vector<double> values;
  for (int k = 0; k <= kSteps; ++k) values.push_back(log_density(lo + (hi - lo) * k / kSteps));
  return log_sum_exp(values) + std::log((hi - lo) / kSteps);
}

TEST(PanelNodes, AreAmongThoseOfHigherDegrees) {
  constexpr std::size_t kAll[] = {2, 4, 8, 12, 16, 24, 32};
  for (std::size_t i = 0; i + 1 < std::size(kAll); ++i) {
    const std::vector<double>& more = panel_nodes(kAll[i + 1]).place;
    EXPECT_EQ(more.size(), kAll[i + 1] + 1);
    EXPECT_TRUE(std::is_sorted(more.begin(), more.end()));
    for (const double x : panel_nodes(kAll[i]).place)
      EXPECT_EQ(std::count(more.begin(), more.end(), x), 1) << kAll[i] << " " << x;
  }
}

TEST(PanelNodes, FitPolynomialsExactlyAndAmplifyLittle) {
  for (const std::size_t degree : {8, 12, 16, 24, 32}) {
    const PanelNodes& nodes = panel_nodes(degree);
    std::vector<double> value;
    for (const double x : nodes.place) value.push_back(std::cos(static_cast<double>(degree) * std::acos(x)));
    const std::vector<double> coefficient = nodes.fit(value);
    for (std::size_t m = 0; m <= degree; ++m) EXPECT_NEAR(coefficient[m], m == degree ? 1 : 0, 1e-13);
    // Values of one sign pattern at the nodes, at most this much between them.
    for (double x = -0.999; x < 1; x += 0.0037) {
      double sum = 0;
      for (std::size_t k = 0; k <= degree; ++k) {
        double weight = 0;
        for (std::size_t m = 0; m <= degree; ++m)
          weight += nodes.inverse[m * (degree + 1) + k] * std::cos(static_cast<double>(m) * std::acos(x));
        sum += std::abs(weight);
      }
      EXPECT_LT(sum, 8) << degree << " " << x;
    }
  }
}

/// What is summed jumps in its last digits wherever the way of summing changes.
TEST(LineDensity, SettlesWhereLogDensityJumpsALittle) {
  for (const double jump : {1e-6, 1e-5}) {
    Counted counted{[jump](double z) {
      const double stairs = std::floor(2 * z + 0.3);
      return -0.5 * z * z + jump * std::cos(5 * stairs);
    }};
    const LineDensity density = counted.density({{-9, 9}, -100, 100, 1e-7});
    EXPECT_NEAR(density.log_integral(), 0.5 * std::log(2 * std::numbers::pi), jump);
    for (const double z : {-2.5, -1.0, 0.0, 0.7, 3.0}) EXPECT_NEAR(density.cdf(z), normal_cdf(z), jump) << z;
  }
}

TEST(LineDensity, OfANormalTakesFewLooks) {
  Counted counted{[](double z) { return -0.5 * z * z; }};
  const LineDensity density = counted.density({{-9, 9}, -100, 100, 1e-8});
  EXPECT_LE(counted.asked, 9);
  EXPECT_NEAR(density.log_integral(), 0.5 * std::log(2 * std::numbers::pi), 1e-9);
  EXPECT_NEAR(density.cdf(-1.3), normal_cdf(-1.3), 1e-9);
  EXPECT_NEAR(density.quantile(normal_cdf(2.2)), 2.2, 1e-8);
}

// Smooth, with poles pi away: more nodes do, and no panel is split.
TEST(LineDensity, AddsNodesWhereCoefficientsFall) {
  Counted counted{[](double z) { return z - 2 * std::log1p(std::exp(z)); }};
  const LineDensity density = counted.density({{-6, 0, 6}, -36, 36, 1e-7});
  EXPECT_LE(counted.asked, 90);
  EXPECT_NEAR(density.log_integral(), 0, 1e-8);
  EXPECT_NEAR(density.cdf(1), 1 / (1 + std::exp(-1.0)), 1e-8);
  Counted inside{counted.log_density};
  (void)inside.density({{-3, 0, 3}, -3, 3, 1e-7});
  EXPECT_LE(inside.asked, 25);
}

// A kink that is all but sharp, away from any break.
TEST(LineDensity, SplitsWhereCoefficientsDoNotFall) {
  Counted counted{[](double z) { return -25 * std::hypot(z - 0.3141, 0.002); }};
  const LineDensity density = counted.density({{-2, 3}, -2, 3, 1e-7});
  EXPECT_NEAR(density.log_integral(), log_trapezoid(counted.log_density, -2, 3), 1e-7);
  EXPECT_NEAR(density.cdf(0.3141), 0.5, 1e-7);
  EXPECT_LE(counted.asked, 250);
}

// From a millionth to a few times its panel, and not at a node.
TEST(LineDensity, FindsNarrowPeaks) {
  for (const double deviation : {1e-6, 1e-4, 1e-2, 0.3}) {
    Counted counted{[&](double z) {
      const double u = (z - 0.2345678) / deviation;
      return -0.5 * u * u;
    }};
    const LineDensity density = counted.density({{-10, 10}, -10, 10, 1e-8});
    EXPECT_NEAR(density.log_integral(), std::log(deviation) + 0.5 * std::log(2 * std::numbers::pi), 1e-8);
    EXPECT_NEAR(density.quantile(normal_cdf(1.5)), 0.2345678 + 1.5 * deviation, 1e-7 * deviation);
    EXPECT_LE(counted.asked, 125) << deviation;
  }
}

// A sharp peak at a break beside a broad one that is e^20 lower but counts.
TEST(LineDensity, SeesASharpPeakBesideABroadOne) {
  Counted counted{[](double z) {
    const double u = (z - 1.7) / 1e-4;
    return std::log(std::exp(-0.5 * u * u) + std::exp(-20 - 0.5 * z * z));
  }};
  const LineDensity density = counted.density({{-9, 1.7, 9}, -9, 9, 1e-8});
  const double sum = std::sqrt(2 * std::numbers::pi) * (1e-4 + std::exp(-20));
  EXPECT_NEAR(density.log_integral(), std::log(sum), 1e-7);
  EXPECT_NEAR(density.cdf(0) * sum, 0.5 * std::sqrt(2 * std::numbers::pi) * std::exp(-20), 1e-12);
  EXPECT_LE(counted.asked, 400);
}

TEST(LineDensity, GoesPastItsFirstPanels) {
  Counted counted{[](double z) { return -0.5 * (z - 30) * (z - 30); }};
  const LineDensity density = counted.density({{-1, 1}, -1000, 1000, 1e-8});
  EXPECT_NEAR(density.cdf(30.5), normal_cdf(0.5), 1e-9);
  EXPECT_LE(counted.asked, 80);
}

}  // namespace
}  // namespace postern::infer
