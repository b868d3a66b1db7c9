#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/multivariate_normal/wishart.hpp"

namespace postern::infer {
namespace {

WishartPrior prior3() { return {{1, -2, 0.5}, 2.5, 9, {2, 0.5, 0.2, 0.5, 1.5, -0.3, 0.2, -0.3, 1}}; }

Square spread(const MeanAndSpread& theta, std::size_t d) {
  Square out;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k <= std::min(i, j); ++k) out(i, j) += theta.factor(i, k) * theta.factor(j, k);
    }
  }
  return out;
}

/// Mean over draws of a quantity, and 4.9 standard errors: wrong by more with probability 1e-6.
class Average {
 public:
  void add(double x) {
    ++n_;
    sum_ += x;
    squares_ += x * x;
  }
  void expect(double wanted) const {
    const double mean = sum_ / n_;
    EXPECT_NEAR(mean, wanted, 4.9 * std::sqrt((squares_ / n_ - mean * mean) / n_));
  }

 private:
  double n_ = 0, sum_ = 0, squares_ = 0;
};

// E Sigma = Psi_n / (degrees - d - 1), E Sigma^-1 = degrees Psi_n^-1, E mu = m_n: 40'000 draws.
TEST(NormalWishart, DrawsTheConjugatePosterior) {
  const NormalWishart law(prior3());
  VectorMoments moments;
  moments.weight = moments.degrees = 4;
  moments.mean = {2, -1, 0};
  for (std::size_t i = 0; i < 3; ++i) moments.scatter(i, i) = 3;
  moments.scatter(1, 0) = -1;
  Rng rng(3, 0, Purpose::test);
  std::array<Average, 3> mean;
  std::array<std::array<Average, 3>, 3> sigma;
  Average trace;
  for (int i = 0; i < 40'000; ++i) {
    const MeanAndSpread theta = law.draw(moments, rng);
    const Square s = spread(theta, 3);
    for (std::size_t a = 0; a < 3; ++a) {
      mean[a].add(theta.mean[a]);
      for (std::size_t b = 0; b <= a; ++b) sigma[a][b].add(s(a, b));
    }
    trace.add(theta.mean[0] * theta.mean[1]);
  }
  const double shrink = 2.5 * 4 / 6.5;
  const Row away{1, 1, -0.5};
  const WishartPrior prior = prior3();
  for (std::size_t a = 0; a < 3; ++a) {
    mean[a].expect((2.5 * prior.mean[a] + 4 * moments.mean[a]) / 6.5);
    for (std::size_t b = 0; b <= a; ++b) {
      const double scale = prior.scale[a * 3 + b] + moments.scatter(a, b) + shrink * away[a] * away[b];
      sigma[a][b].expect(scale / (13 - 4));
    }
  }
  const double cross = (0.5 - 1 + shrink) / 9 / 6.5;
  trace.expect(cross + (2.5 * 1 + 8) / 6.5 * (2.5 * -2 - 4) / 6.5);
}

// The step leaves the prior as it is: begun there, it stays there; and it is no new draw.
TEST(NormalWishart, NearbyKeepsThePrior) {
  const NormalWishart law(prior3());
  Rng rng(4, 0, Purpose::test);
  for (const double records : {0.7, 6.0, 80.0}) {
    Average mean;
    Average variance;
    Average covariance;
    Average square;
    double kept = 0;
    for (int i = 0; i < 20'000; ++i) {
      const MeanAndSpread from = law.draw({}, rng);
      const MeanAndSpread theta = law.nearby(from, records, rng);
      const Square s = spread(theta, 3);
      mean.add(theta.mean[1]);
      square.add((theta.mean[1] + 2) * (theta.mean[1] + 2));
      variance.add(s(0, 0));
      covariance.add(s(2, 1));
      kept += (from.mean[1] + 2) * (theta.mean[1] + 2);
    }
    mean.expect(-2);
    square.expect(1.5 / 5 / 2.5);
    variance.expect(2.0 / 5);
    covariance.expect(-0.3 / 5);
    EXPECT_NEAR(kept / 20'000 / (1.5 / 5 / 2.5), records / (records + 2.5), 0.05);
  }
}

// log_weight differs from the density by the measure that linear maps leave: |Sigma|^-(d+1)/2.
TEST(NormalWishart, WeightsByTheDensity) {
  const WishartPrior prior{{0, 0}, 2, 4, {1, 0.25, 0.25, 2}};
  const NormalWishart law(prior);
  MeanAndSpread theta;
  theta.mean = {0.5, -1};
  theta.factor(0, 0) = 2;
  theta.factor(1, 0) = 0.5;
  theta.factor(1, 1) = 1.5;
  // Sigma = (4 1; 1 2.5), its inverse (2.5 -1; -1 4) / 9.
  const double trace = (2.5 * 1 - 2 * 0.25 + 4 * 2) / 9;
  const double away = 2 * (2.5 * 0.25 + 2 * 0.5 + 4 * 1) / 9;
  const double expected = -0.5 * (4 + 2 + 2) * std::log(9) - 0.5 * (trace + away) + 1.5 * std::log(9);
  EXPECT_NEAR(law.log_weight(theta), expected, 1e-12);
}

TEST(NormalWishart, TriangularKeepsTheProduct) {
  Square rows;
  Rng rng(5, 0, Purpose::test);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) rows(i, j) = rng.uniform() - 0.5;
  }
  const Square lower = triangular(rows, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(lower(i, i), 0);
    for (std::size_t j = 0; j < 4; ++j) {
      double wanted = 0;
      double found = 0;
      for (std::size_t c = 0; c < 4; ++c) wanted += rows(i, c) * rows(j, c);
      for (std::size_t c = 0; c <= std::min(i, j); ++c) found += lower(i, c) * lower(j, c);
      EXPECT_NEAR(found, wanted, 1e-14);
    }
  }
}

TEST(NormalWishart, RefusesWhatIsNoPrior) {
  const auto refused = [](const WishartPrior& prior) {
    try {
      const NormalWishart law(prior);
    } catch (const Error& error) {
      return error.code() == ErrorCode::bad_prior;
    }
    return false;
  };
  EXPECT_FALSE(refused(prior3()));
  WishartPrior prior = prior3();
  prior.degrees = 2;
  EXPECT_TRUE(refused(prior));
  prior = prior3();
  prior.weight = 0;
  EXPECT_TRUE(refused(prior));
  prior = prior3();
  prior.scale[1] = 0.6;
  EXPECT_TRUE(refused(prior));
  prior = prior3();
  prior.scale[1] = prior.scale[3] = 2;
  EXPECT_TRUE(refused(prior));
  prior = prior3();
  prior.scale.pop_back();
  EXPECT_TRUE(refused(prior));
  prior = prior3();
  prior.mean[0] = std::nan("");
  EXPECT_TRUE(refused(prior));
}

}  // namespace
}  // namespace postern::infer
