#include "postern/assess/mmd.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"

namespace postern::assess {
namespace {

using Sample = std::vector<double>;

double squared(const Sample& p, const Sample& q, std::size_t dimension = 1, int threads = 1) {
  return mmd({p, dimension}, {q, dimension}, threads).squared;
}

/// Points of N((shift, ..., shift), I).
Sample normals(std::size_t points, std::size_t dimension, double shift, Rng& rng) {
  Sample out(points * dimension);
  for (double& x : out) x = shift + draw_normal(rng);
  return out;
}

/// The equation as it is written.
double by_definition(const Sample& p, const Sample& q, std::size_t dimension) {
  const auto kernel = [&](const Sample& a, std::size_t i, const Sample& b, std::size_t j) {
    double square = 0;
    for (std::size_t c = 0; c < dimension; ++c)
      square += std::pow(a[i * dimension + c] - b[j * dimension + c], 2);
    return std::exp(-square / 2);
  };
  const std::size_t m = p.size() / dimension;
  double sum = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      if (i != j) sum += kernel(p, i, p, j) + kernel(q, i, q, j) - kernel(p, i, q, j) - kernel(p, j, q, i);
  return sum / static_cast<double>(m * (m - 1));
}

TEST(Mmd, MeetsTheOracles) {
  EXPECT_NEAR(squared({0, 1, 2}, {.5, 1.5, 3}), -0.07907545210149136, 1e-14);
  const Sample p = {.2, .3, .1, .8, .5, .5, .9, .1};
  const Sample q = {.3, .3, .2, .7, .4, .6, .7, .2};
  EXPECT_NEAR(squared(p, q, 2), -0.0023399561433349683, 1e-14);
}

TEST(Mmd, ByHand) {
  const Mmd close = mmd({Sample{0, 2}, 1}, {Sample{1, 1}, 1}, 1);
  EXPECT_DOUBLE_EQ(close.squared, std::exp(-2) + 1 - 2 * std::exp(-.5));
  EXPECT_LT(close.squared, 0);
  EXPECT_EQ(close.distance(), 0);
  const Mmd apart = mmd({Sample(5, 0.0), 1}, {Sample(5, 3.0), 1}, 1);
  EXPECT_NEAR(apart.squared, 2 - 2 * std::exp(-4.5), 1e-15);
  EXPECT_DOUBLE_EQ(apart.distance(), std::sqrt(apart.squared));
  EXPECT_DOUBLE_EQ(squared({0, 0}, {1e300, 1e300}), 2);  // the square overflows, the kernel does not
  EXPECT_EQ(squared({0, 1}, {0, 3}), 0);                 // pairs (p_i, q_i) are left out
}

// Sizes around one and two tiles, where a pair lost or counted twice would show.
TEST(Mmd, IsItsDefinition) {
  Rng rng(1, 0, Purpose::test);
  for (const std::size_t points : {2U, 3U, 63U, 64U, 65U, 127U, 128U, 130U, 200U}) {
    for (const std::size_t dimension : {1U, 2U, 5U}) {
      const Sample p = normals(points, dimension, 0, rng);
      const Sample q = normals(points, dimension, .3, rng);
      EXPECT_NEAR(squared(p, q, dimension), by_definition(p, q, dimension), 1e-14) << points;
    }
  }
}

TEST(Mmd, IsTheSameForAnyNumberOfThreads) {
  Rng rng(2, 0, Purpose::test);
  const Sample p = normals(300, 3, 0, rng);
  const Sample q = normals(300, 3, .2, rng);
  const double one = squared(p, q, 3, 1);
  for (int again = 0; again < 3; ++again)
    for (const int threads : {0, 2, 3, 8}) EXPECT_EQ(squared(p, q, 3, threads), one);
}

TEST(Mmd, IsSymmetricAndZeroFromASampleToItself) {
  Rng rng(3, 0, Purpose::test);
  const Sample p = normals(333, 2, 0, rng);
  const Sample q = normals(333, 2, 1, rng);
  EXPECT_EQ(squared(p, q, 2), squared(q, p, 2));
  EXPECT_EQ(squared(p, p, 2), 0);
}

// N(0, I) and N(shift, I) in d dimensions: E k = 3^(-d/2), times exp(-|shift|^2 / 6) across. 400 samples of
// 50 points; 4.9 standard errors are passed with probability 1e-6. With the pairs i = j kept, a bias of
// .017 under one law (d = 1) would be 22 standard errors.
TEST(Mmd, IsUnbiased) {
  constexpr std::size_t runs = 400;
  Rng rng(4, 0, Purpose::test);
  for (const std::size_t dimension : {1U, 3U}) {
    for (const double shift : {0.0, 1.0}) {
      double sum = 0;
      double squares = 0;
      for (std::size_t run = 0; run < runs; ++run) {
        const Sample p = normals(50, dimension, 0, rng);
        const double found = squared(p, normals(50, dimension, shift, rng), dimension);
        sum += found;
        squares += found * found;
      }
      const double mean = sum / runs;
      const double error = std::sqrt((squares / runs - mean * mean) / runs);
      const auto d = static_cast<double>(dimension);
      const double wanted = 2 * std::pow(3, -d / 2) * (1 - std::exp(-d * shift * shift / 6));
      EXPECT_NEAR(mean, wanted, 4.9 * error) << dimension << " " << shift;
    }
  }
}

// n = 1000. Under one law n MMD^2 tends to sum_l 2 lambda_l (chi^2_1 - 1), lambda = .236, .127, .034, ... the
// eigenvalues of the centred kernel (Gretton et al. 2012, theorem 12); it passes 14.8 with probability at
// most 1e-6 (Chernoff). A shift of 3/4 is worth .103 with standard deviation .014: six of them above .0148.
TEST(Mmd, SeesAShiftAndNothingElse) {
  constexpr double limit = 14.8 / 1000;
  Rng rng(5, 0, Purpose::test);
  const Sample here = normals(1000, 1, 0, rng);
  EXPECT_LT(squared(here, normals(1000, 1, 0, rng)), limit);
  EXPECT_GT(squared(here, normals(1000, 1, .75, rng)), limit);
}

TEST(Mmd, RefusesWhatCannotBeCompared) {
  const Sample two = {1, 2};
  EXPECT_THROW((void)squared({}, {}), Error);
  EXPECT_THROW((void)squared({1}, {1}), Error);
  EXPECT_THROW((void)squared(two, {1, 2, 3}), Error);
  EXPECT_THROW((void)squared(two, two, 0), Error);
  EXPECT_THROW((void)squared({1, 2, 3}, {1, 2, 3}, 2), Error);
  EXPECT_THROW((void)mmd({Sample{1, 2, 3, 4}, 1}, {Sample{1, 2, 3, 4}, 2}), Error);
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW((void)squared(two, {1, odd}), Error);
}

}  // namespace
}  // namespace postern::assess
