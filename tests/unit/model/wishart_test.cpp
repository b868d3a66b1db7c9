#include "postern/model/wishart.hpp"

#include <cmath>

#include <gtest/gtest.h>

// The normal-inverse-Wishart law: its moments, the marginals that are known in closed form, Bayes' rule.

namespace postern::model {
namespace {

const WishartPrior kPrior{{1, -2, 0.5}, 2, 9, {4, 1, -1, 1, 3, 0.5, -1, 0.5, 2}};

TEST(Wishart, TheTriangleIsPackedRowByRow) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = i; j < 5; ++j) EXPECT_EQ(packed_place(i, j, 5), place++);
  }
}

TEST(Wishart, CholeskyGivesTheMatrixBack) {
  const std::vector<double> lower = cholesky(kPrior.scale, 3, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double entry = 0;
      for (std::size_t k = 0; k < 3; ++k) entry += lower[i * 3 + k] * lower[j * 3 + k];
      EXPECT_NEAR(entry, kPrior.scale[i * 3 + j], 1e-14);
    }
  }
  EXPECT_TRUE(cholesky({1, 2, 2, 1}, 2, 0).empty());
  EXPECT_DOUBLE_EQ(cholesky({1, 2, 2, 1}, 2, 0.25).at(3), 0.5);
  EXPECT_EQ(cholesky({0, 0, 0, 1}, 2, 0.25).size(), 4u);
}

// The same records at once, one by one, or after a shift of everything.
TEST(Wishart, UpdatesInAnyPortions) {
  const std::vector<std::vector<double>> records = {{0, 1, 2}, {1.5, -3, 0}, {2, 2, -1}, {-0.5, 0, 0.25}};
  VectorSums all = no_vectors(3);
  WishartPrior one_by_one = kPrior;
  for (const auto& record : records) {
    VectorSums one = no_vectors(3);
    add_vector(one, record);
    add_vector(all, record);
    one_by_one = update(one_by_one, one);
  }
  const WishartPrior at_once = update(kPrior, all);
  EXPECT_DOUBLE_EQ(at_once.weight, 6);
  EXPECT_DOUBLE_EQ(at_once.degrees, 13);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(at_once.mean[i], one_by_one.mean[i], 1e-13);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(at_once.scale[i], one_by_one.scale[i], 1e-12);
  EXPECT_EQ(update(kPrior, no_vectors(3)).scale, kPrior.scale);
  // The textbook form (Gelman et al., 3.6) for one entry: about the average, plus the pull to the prior.
  double scatter = 0;
  for (const auto& record : records) scatter += (record[0] - all.sums[0] / 4) * (record[1] - all.sums[1] / 4);
  const double pull = (all.sums[0] / 4 - 1) * (all.sums[1] / 4 + 2) * 2 * 4 / 6;
  EXPECT_NEAR(at_once.scale[1], 1 + scatter + pull, 1e-13);
}

// P(chi-square of 1 degree < x) is erf(sqrt(x/2)), of 2 degrees 1 - e^(-x/2).
TEST(Wishart, TheShareOfSingularMatrices) {
  EXPECT_NEAR(singular_share(1, 1) / std::erf(std::sqrt(0.5e-16)), 1, 1e-12);
  EXPECT_NEAR(singular_share(4, 4) / std::erf(std::sqrt(0.5e-16)), 1, 1e-12);
  EXPECT_NEAR(singular_share(3, 2) / 0.5e-16, 1, 1e-12);
  EXPECT_NEAR(singular_share(1.001, 2), 0.98, 0.01);  // all but those above 1e-16: x^0.0005
}

// Drawn, 20'000 times: the share deviates by 0.0035; five times that.
TEST(Wishart, TheShareOfSingularMatricesIsThatOfDraws) {
  Rng rng(20261117, 32, Purpose::test);
  constexpr int kDraws = 20'000;
  int singular = 0;
  for (int t = 0; t < kDraws; ++t) {
    const VectorTheta theta = draw_normal_inverse_wishart({{0, 0}, 1, 1.05, {1, 0, 0, 1}}, rng);
    // With scale 1 the inverse of the first variance is a chi-square of degrees - d + 1.
    singular += theta.covariance[0] > 1e16 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(singular) / kDraws, singular_share(1.05, 2), 0.0175);
}

// Vectors along one line, far out: their products leave no digits for what is across it.
TEST(Wishart, DrawsFromAScaleThatRoundingMadeSingular) {
  const WishartPrior prior{{0, 0}, 1, 1.001, {200, 50, 50, 300}};
  VectorSums sums = no_vectors(2);
  for (const double t : {1e30, -3e30, 2e30}) add_vector(sums, {t, 0.7 * t});
  const WishartPrior after = update(prior, sums);
  Rng rng(20261117, 33, Purpose::test);
  for (int t = 0; t < 100; ++t) {
    const VectorTheta theta = draw_normal_inverse_wishart(after, rng);
    for (const double value : theta.covariance) EXPECT_TRUE(std::isfinite(value));
    EXPECT_GT(theta.covariance[0], 1e58);
    EXPECT_GT(theta.covariance[3], 1e58);
  }
}

// 200 000 draws: E Sigma = scale / (degrees - d - 1), Var mu = E Sigma / weight. No entry deviates by more
// than 0.6 from one draw to the next, so an average's deviation is below 0.0014; 0.02 is more than ten of
// them.
TEST(Wishart, DrawsHaveTheRightMoments) {
  Rng rng(20261116, 31, Purpose::test);
  constexpr int kDraws = 200'000;
  std::vector<double> sigma(9);
  std::vector<double> mean(3);
  std::vector<double> spread(9);
  std::vector<double> inverse_first;
  for (int t = 0; t < kDraws; ++t) {
    const VectorTheta theta = draw_normal_inverse_wishart(kPrior, rng);
    for (std::size_t i = 0; i < 3; ++i) {
      mean[i] += theta.mean[i] / kDraws;
      for (std::size_t j = 0; j < 3; ++j) {
        sigma[i * 3 + j] += theta.covariance[i * 3 + j] / kDraws;
        spread[i * 3 + j] += (theta.mean[i] - kPrior.mean[i]) * (theta.mean[j] - kPrior.mean[j]) / kDraws;
      }
    }
    inverse_first.push_back(1 / theta.covariance[0]);
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(mean[i], kPrior.mean[i], 0.02);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(sigma[i], kPrior.scale[i] / 5, 0.02);
    EXPECT_NEAR(spread[i], kPrior.scale[i] / 10, 0.02);
  }
  // Sigma_11 is inverse-gamma((degrees - d + 1) / 2, scale_11 / 2): 1/Sigma_11 has mean 7/4 and variance
  // 2 * 7 / 16, so that the deviation of its average is 0.0021, and of its variance 0.004.
  double average = 0;
  double square = 0;
  for (const double x : inverse_first) {
    average += x / kDraws;
    square += x * x / kDraws;
  }
  EXPECT_NEAR(average, 7.0 / 4, 0.012);
  EXPECT_NEAR(square - average * average, 14.0 / 16, 0.03);
}

}  // namespace
}  // namespace postern::model
