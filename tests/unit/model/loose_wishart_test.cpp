// A covariance whose prior scale is unknown: half-t deviations, and draws given records.
#include <cmath>

#include <gtest/gtest.h>

#include "postern/model/wishart.hpp"

namespace postern::model {
namespace {

/// Deviations of `spread` and twice that, two degrees.
WishartPrior loose(double spread) {
  const double one = 2 * spread * spread;
  return {{0, 0, 0}, 1, 4, {one, 0, 0, 0, 4 * one, 0, 0, 0, one}, true};
}

/// |t| < x has probability x / sqrt(2 + x^2) for two degrees; correlations are uniform. n = 40,000 each,
/// alpha = 10^-6: 4.9 standard errors.
TEST(LooseWishart, DeviationsAreHalfTAndCorrelationsUniform) {
  Rng rng(20261118, 0, Purpose::test);
  constexpr int kDraws = 40'000;
  const WishartPrior prior = loose(0.3);
  for (const double x : {0.2, 1.0, 3.0}) {
    double first = 0;
    double second = 0;
    double correlation = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::vector<double> s = draw_normal_inverse_wishart(prior, rng).covariance;
      first += std::sqrt(s[0]) < 0.3 * x ? 1 : 0;
      second += std::sqrt(s[4]) < 0.6 * x ? 1 : 0;
      correlation += s[1] / std::sqrt(s[0] * s[4]) < x / 5 ? 1 : 0;
    }
    const double p = x / std::sqrt(2 + x * x);
    const double error = 4.9 * 0.5 / std::sqrt(kDraws);
    EXPECT_NEAR(first / kDraws, p, error) << x;
    EXPECT_NEAR(second / kDraws, p, error) << x;
    EXPECT_NEAR(correlation / kDraws, (1 + x / 5) / 2, error) << x;
  }
}

TEST(LooseWishart, TheDiagonalOfAnInverse) {
  // root root^T = ((1, 2), (2, 13)), determinant 9.
  const std::vector<double> found = inverse_diagonal({1, 0, 2, 3}, 2);
  EXPECT_NEAR(found[0], 13.0 / 9, 1e-14);
  EXPECT_NEAR(found[1], 1.0 / 9, 1e-14);
  EXPECT_NEAR(inverse_diagonal({0, 1, 3, 2}, 2)[1], 1.0 / 9, 1e-14);  // a pivot of 0
}

/// Given no records, draws follow the prior; given many, the records.
TEST(LooseWishart, DrawsAfterRecords) {
  Rng rng(20261118, 1, Purpose::test);
  const WishartPrior prior = loose(1);
  double below = 0;
  constexpr std::size_t kDraws = 20'000;
  for (const VectorTheta& theta : draw_after(prior, no_vectors(3), kDraws, rng))
    below += theta.covariance[0] < 1 ? 1 : 0;
  EXPECT_NEAR(below / kDraws, 1 / std::sqrt(3.0), 0.03);  // a chain: some thousands are effective
  VectorSums sums = no_vectors(3);
  sums.n = 1e6;
  for (std::size_t i = 0; i < 3; ++i) sums.products[packed_place(i, i, 3)] = 1e2;
  for (const VectorTheta& theta : draw_after(prior, sums, 20, rng)) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(theta.covariance[i * 3 + i], 1e-4, 2e-6);
  }
}

}  // namespace
}  // namespace postern::model
