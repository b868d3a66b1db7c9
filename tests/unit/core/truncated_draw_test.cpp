#include "postern/core/truncated_draw.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"

namespace postern {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// log P(Z < x): far out by the continued fraction of the Mills ratio (DLMF 7.9.2).
double log_normal_cdf(double x) {
  if (x > 0) return std::log1p(-0.5 * std::erfc(x / std::numbers::sqrt2));
  const double z = -x / std::numbers::sqrt2;
  if (z < 2) return std::log(0.5 * std::erfc(z));
  double tail = z;
  for (int k = 160; k >= 1; --k) tail = z + 0.5 * k / tail;
  return std::log(0.5 * std::numbers::inv_sqrtpi / tail) - z * z;
}

/// Kolmogorov-Smirnov distance of 20000 draws from the law, whose distribution function is by log_normal_cdf
/// differences measured from the end nearer to the mean.
void expect_law(double mean, double deviation, double lo, double hi) {
  constexpr std::size_t kDraws = 20'000;
  Rng rng(20261116, 1, Purpose::test);
  const bool mirrored = mean > hi || (std::isinf(lo) && !std::isinf(hi));
  const auto upper = [&](double x) {  // log P(X > x), mirrored
    return log_normal_cdf(mirrored ? (x - mean) / deviation : (mean - x) / deviation);
  };
  const double start = mirrored ? hi : lo;
  const double end = mirrored ? lo : hi;
  const double whole = 1 - std::exp(upper(end) - upper(start));
  std::vector<double> u;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double x = draw_truncated_normal(mean, deviation, lo, hi, rng);
    ASSERT_GE(x, lo);
    ASSERT_LE(x, hi);
    u.push_back((1 - std::exp(upper(x) - upper(start))) / whole);
  }
  std::sort(u.begin(), u.end());
  double d = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    d = std::max({d, (static_cast<double>(i) + 1) / kDraws - u[i], u[i] - static_cast<double>(i) / kDraws});
  }
  EXPECT_GT(kolmogorov_tail(d, kDraws), 1e-6) << mean << " " << deviation << " " << lo << " " << hi;
}

TEST(TruncatedDraw, FollowsItsLawInTheMiddleAndInBothTails) {
  expect_law(0, 1, -kInfinity, kInfinity);
  expect_law(0, 1, -0.3, 0.4);
  expect_law(2, 3, -10, 4);
  expect_law(0, 1, 0.2, kInfinity);
  expect_law(0, 1, 3, kInfinity);
  expect_law(0, 1, 3, 3.1);
  expect_law(0, 1, 3, 5);
  expect_law(0, 1, -kInfinity, -12);
  expect_law(5, 2, -kInfinity, 5.5);
  expect_law(50, 2, 0, 4);
  expect_law(-1000, 2, 0, 1);
}

TEST(TruncatedDraw, StaysFiniteFarAway) {
  Rng rng(1, 2, Purpose::test);
  for (const double far : {1e3, 1e8, 1e15, 1e200, 1e308}) {
    const double x = draw_truncated_normal(0, 1, far, kInfinity, rng);
    EXPECT_TRUE(x >= far && std::isfinite(x)) << far;
    const double y = draw_truncated_normal(far, 1e-300, -1, 1, rng);
    EXPECT_TRUE(y >= -1 && y <= 1) << far;
  }
  EXPECT_EQ(draw_truncated_normal(3, 0, -1, 1, rng), 1);
  EXPECT_EQ(draw_truncated_normal(3, 1, 2, 2, rng), 2);
}

}  // namespace
}  // namespace postern
