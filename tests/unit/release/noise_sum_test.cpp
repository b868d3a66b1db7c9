// Bounds on tails of sums of noises, against sums over all values.

#include "postern/release/noise_sum.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace postern::release {
namespace {

constexpr int kReach = 2000;  ///< the laws below have no mass to speak of beyond

/// P(K = k), k from -kReach to kReach.
std::vector<double> masses(const NoiseLaw& law) {
  std::vector<double> out;
  for (int k = -kReach; k <= kReach; ++k) out.push_back(std::exp(log_pmf(law, k)));
  return out;
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size());
  for (int i = -kReach; i <= kReach; ++i) {
    for (int j = std::max(-kReach, i - kReach); j <= std::min(kReach, i + kReach); ++j)
      out[static_cast<std::size_t>(i + kReach)] +=
          a[static_cast<std::size_t>(j + kReach)] * b[static_cast<std::size_t>(i - j + kReach)];
  }
  return out;
}

double tail(const std::vector<double>& mass, int x) {
  double sum = 0;
  for (int k = kReach; k >= x; --k) sum += mass[static_cast<std::size_t>(k + kReach)];
  return sum;
}

/// Never below the tail, and not far above where decisions are made.
void bounds(const NoiseSum& sum, const std::vector<double>& mass, double slack) {
  for (int x = 1; x < kReach / 2; ++x) {
    const double exact = std::log(tail(mass, x));
    if (exact < -30) break;
    const double bound = sum.log_tail(x);
    EXPECT_GE(bound, exact - 1e-9) << x;
    if (exact < -7) {
      EXPECT_LE(bound, exact + slack) << x;
    }
  }
  const double r = sum.radius(9.2);
  EXPECT_LE(2 * tail(mass, static_cast<int>(r) + 1), std::exp(-9.2));
}

TEST(NoiseSum, OfOneNoiseIsItsTail) {
  for (const double lambda : {0.05, 0.5, 3.0})
    bounds(NoiseSum(DiscreteLaplace(lambda)), masses(DiscreteLaplace(lambda)), 1e-9);
  for (const double sigma2 : {0.3, 4.0, 2500.0})
    bounds(NoiseSum(DiscreteGaussian(sigma2)), masses(DiscreteGaussian(sigma2)), 0.1);
}

TEST(NoiseSum, OfSeveralIsBounded) {
  const DiscreteLaplace laplace(0.3);
  const auto one = masses(laplace);
  const auto two = convolved(one, one);
  NoiseSum sum(laplace, 2);
  bounds(sum, two, 4);
  bounds(NoiseSum(laplace, 4), convolved(two, two), 4);
  sum.add(DiscreteGaussian(100));
  bounds(sum, convolved(two, masses(DiscreteGaussian(100))), 4);
  bounds(NoiseSum(DiscreteGaussian(50), 3), masses(DiscreteGaussian(150)), 4);
}

/// The law of weight * K, weight whole.
std::vector<double> stretched(const std::vector<double>& mass, int weight) {
  std::vector<double> out(mass.size());
  for (int k = -kReach / weight; k <= kReach / weight; ++k)
    out[static_cast<std::size_t>(weight * k + kReach)] = mass[static_cast<std::size_t>(k + kReach)];
  return out;
}

TEST(NoiseSum, OfWeightedOnesIsBounded) {
  const DiscreteLaplace laplace(0.9);
  const DiscreteGaussian gaussian(20);
  NoiseSum sum;
  sum.add(NoiseSum(laplace, 2), 3);
  sum.add(NoiseSum(gaussian), 2);
  const auto thrice = stretched(masses(laplace), 3);
  const auto mass = convolved(convolved(thrice, thrice), stretched(masses(gaussian), 2));
  bounds(sum, mass, 4);
  EXPECT_NEAR(sum.variance(), 2 * 9 * laplace.variance() + 4 * gaussian.variance(), 1e-9);
  // A unit is a matter of taste, and the bound of a fraction is not rounded up.
  NoiseSum third;
  third.add(sum, 1.0 / 3);
  for (const double x : {0.1, 5.0, 40.0}) EXPECT_NEAR(third.log_tail(x / 3), sum.log_tail(x), 1e-6) << x;
}

// Weight 1 alone keeps the exact tail of one noise.
TEST(NoiseSum, AddedWithWeightOneIsTheSame) {
  NoiseSum sum;
  sum.add(NoiseSum(DiscreteLaplace(0.5)), 1);
  EXPECT_EQ(sum.log_tail(7.5), NoiseSum(DiscreteLaplace(0.5)).log_tail(7.5));
}

TEST(NoiseSum, HoldsForExtremes) {
  EXPECT_EQ(NoiseSum(DiscreteLaplace(1)).log_tail(0), 0);
  EXPECT_EQ(NoiseSum(DiscreteLaplace(1), 5).log_tail(-3), 0);
  for (const double lambda : {1e-9, 1.0, 2000.0}) {
    for (const double times : {1.0, 2.0, 1e6}) {
      const NoiseSum sum(DiscreteLaplace(lambda), times);
      EXPECT_TRUE(std::isfinite(sum.log_tail(1))) << lambda << ' ' << times;
      EXPECT_LT(sum.log_tail(1e15), -100) << lambda << ' ' << times;
      EXPECT_TRUE(std::isfinite(sum.radius(10))) << lambda << ' ' << times;
    }
  }
}

}  // namespace
}  // namespace postern::release
