#include "postern/assess/distances.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::assess {
namespace {

using Sample = std::vector<double>;

Sample normals(std::size_t count, double mean, Rng& rng) {
  Sample out(count);
  for (double& x : out) x = mean + draw_normal(rng);
  return out;
}

TEST(KolmogorovSmirnov, MeetsTheOracle) { EXPECT_NEAR(ks_uniform(Sample{.1, .2, .6, .65, .9}), .2, 1e-15); }

TEST(KolmogorovSmirnov, FromALawByHand) {
  EXPECT_DOUBLE_EQ(ks_uniform(Sample{.5}), .5);
  EXPECT_DOUBLE_EQ(ks_uniform(Sample{.75, .25}), .25);  // unsorted; the best two points can do
  EXPECT_DOUBLE_EQ(ks_uniform(Sample{.4, .4, .4, .4}), .6);
  EXPECT_DOUBLE_EQ(ks_uniform(Sample{-7, -3}), 1);
  EXPECT_DOUBLE_EQ(ks_uniform(Sample{3, 7}), 1);
  EXPECT_DOUBLE_EQ(ks_from_law(Sample{1}, [](double x) { return 1 - std::exp(-x); }), 1 - std::exp(-1));
}

TEST(KolmogorovSmirnov, BetweenSamplesByHand) {
  EXPECT_DOUBLE_EQ(ks_between(Sample{1, 2, 3}, Sample{1.5, 2.5, 3.5, 4.5}), .5);  // at 3: 1 and 2/4
  EXPECT_DOUBLE_EQ(ks_between(Sample{0, 0, 0, 1}, Sample{0, 1, 1, 1}), .5);       // ties move together
  EXPECT_DOUBLE_EQ(ks_between(Sample{1, 2}, Sample{3, 4, 5}), 1);
  EXPECT_EQ(ks_between(Sample{3, 1, 2, 2}, Sample{2, 3, 2, 1}), 0);
  EXPECT_EQ(ks_between(Sample{1, 2}, Sample{1, 1, 1, 2, 2, 2}), 0);
  EXPECT_DOUBLE_EQ(ks_between(Sample{0, 5}, Sample{1, 2, 3}), .5);
}

TEST(KolmogorovSmirnov, BetweenSamplesIsSymmetric) {
  Rng rng(1, 0, Purpose::test);
  const Sample a = normals(57, 0, rng);
  const Sample b = normals(101, .5, rng);
  EXPECT_GT(ks_between(a, b), 0);
  EXPECT_EQ(ks_between(a, b), ks_between(b, a));
}

/// Mean of D times its scale over `runs`, with Stephens' correction for finite samples.
template <class Distance>
double mean_scaled(std::size_t runs, double effective, const Distance& distance) {
  const double root = std::sqrt(effective);
  double sum = 0;
  for (std::size_t i = 0; i < runs; ++i) sum += (root + .12 + .11 / root) * distance();
  return sum / static_cast<double>(runs);
}

// Kolmogorov's law has mean .8687 and sd .2603. 400 runs of 500 values; 4.9 standard errors are passed with
// probability 1e-6. A one-sided distance would have mean .627. Two samples: D lies on a lattice of 1/500 at
// most, worth at most .02 of the scaled mean.
TEST(KolmogorovSmirnov, HasKolmogorovsMeanUnderOneLaw) {
  constexpr std::size_t runs = 400;
  constexpr double tolerance = 4.9 * .2603 / 20;
  Rng rng(2, 0, Purpose::test);
  const double one = mean_scaled(runs, 500, [&] { return ks_from_law(normals(500, 0, rng), normal_cdf); });
  EXPECT_NEAR(one, .8687, tolerance);
  const double two =
      mean_scaled(runs, 250, [&] { return ks_between(normals(500, 0, rng), normals(500, 0, rng)); });
  EXPECT_NEAR(two, .8687, tolerance + .02);
}

// At n = 2000 a shift of half a standard deviation is worth 2 Phi(1/4) - 1 = .197, seven standard deviations
// or more above what one law passes with probability 1e-6: .0603 from a law, .0852 between samples.
TEST(KolmogorovSmirnov, SeesAShiftAndNothingElse) {
  constexpr double from_law = .0603;
  constexpr double between = .0852;
  Rng rng(3, 0, Purpose::test);
  const Sample here = normals(2000, 0, rng);
  const Sample also_here = normals(2000, 0, rng);
  const Sample there = normals(2000, .5, rng);
  EXPECT_LT(ks_from_law(here, normal_cdf), from_law);
  EXPECT_GT(ks_from_law(there, normal_cdf), from_law);
  EXPECT_LT(ks_between(here, also_here), between);
  EXPECT_GT(ks_between(here, there), between);
}

TEST(KolmogorovSmirnov, RefusesWhatHasNoDistributionFunction) {
  const Sample fine{.5};
  const Sample odd{.5, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW((void)ks_uniform(Sample{}), Error);
  EXPECT_THROW((void)ks_uniform(odd), Error);
  EXPECT_THROW((void)ks_between(fine, Sample{}), Error);
  EXPECT_THROW((void)ks_between(odd, fine), Error);
}

}  // namespace
}  // namespace postern::assess
