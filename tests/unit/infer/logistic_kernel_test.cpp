#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"

#include "kinds/logistic_regression/mean_kernel.hpp"
#include "kinds/logistic_regression/residual_form.hpp"

// What the chain of a logistic regression computes at every move, against the same written out.

namespace postern::infer {
namespace {

constexpr std::size_t kColumns = 3;

/// Two blocks of points; those of the second are zeros from the 41st on.
std::vector<double> made_up_points(Rng& rng) {
  std::vector<double> out(2 * kColumns * PointBlocks::kPoints, 0.0);
  for (std::size_t j = 0; j < kColumns; ++j) {
    for (std::size_t i = 0; i < PointBlocks::kPoints + 40; ++i) {
      const std::size_t block = i / PointBlocks::kPoints;
      out[(block * kColumns + j) * PointBlocks::kPoints + i % PointBlocks::kPoints] = 2 * rng.uniform() - 1;
    }
  }
  return out;
}

std::vector<double> written_out(const std::vector<double>& x, const std::vector<double>& theta) {
  std::vector<double> out(kColumns, 0.0);
  for (std::size_t i = 0; i < 2 * PointBlocks::kPoints; ++i) {
    const std::size_t first =
        i / PointBlocks::kPoints * kColumns * PointBlocks::kPoints + i % PointBlocks::kPoints;
    double odds = 0;
    for (std::size_t j = 0; j < kColumns; ++j) odds += theta[j] * x[first + j * PointBlocks::kPoints];
    for (std::size_t j = 0; j < kColumns; ++j)
      out[j] += x[first + j * PointBlocks::kPoints] / (1 + std::exp(-odds));
  }
  return out;
}

TEST(LogisticSums, AreThoseWrittenOutOnEveryProcessor) {
  Rng rng(20261118, 310, Purpose::test);
  const std::vector<double> x = made_up_points(rng);
  const PointBlocks points{x.data(), 2, kColumns};
  for (const double size : {0.0, 1e-9, 0.5, 5.0, 60.0, 5000.0}) {
    const std::vector<double> theta{size, -size / 2, size * 0.3};
    const std::vector<double> known = written_out(x, theta);
    std::vector<double> plain(kColumns);
    std::vector<double> fastest(kColumns);
    plain_logistic_sums()(points, theta.data(), plain.data());
    logistic_sums()(points, theta.data(), fastest.data());
    for (std::size_t j = 0; j < kColumns; ++j) {
      EXPECT_NEAR(plain[j], known[j], 1e-6) << size;
      EXPECT_EQ(plain[j], fastest[j]) << size;
    }
  }
}

TEST(ResidualForm, IsTheQuadraticFormOfTheResiduals) {
  constexpr std::size_t kGradients = 2;
  constexpr std::size_t kAll = kColumns * kGradients;
  Rng rng(20261118, 311, Purpose::test);
  std::vector<double> matrix(kAll * kAll, 0.1);
  std::vector<std::size_t> places;
  std::vector<double> base;
  std::vector<double> slope;
  for (std::size_t i = 0; i < kAll; ++i) {
    matrix[i * kAll + i] = 1 + static_cast<double>(i);
    places.push_back(i);
    base.push_back(draw_normal(rng));
    slope.push_back(draw_normal(rng));
  }
  const Cholesky factor(matrix, kAll);
  ResidualForm form(kColumns);
  form.add(factor, places, base, slope);
  const std::vector<double> shift{0.3, -0.2, 0.5};
  constexpr double kMore = 2;
  constexpr double kN = 7;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < kAll; ++i)
    residuals.push_back(base[i] + kMore * slope[i] - kN * shift[i % kColumns]);
  factor.solve_lower(residuals);
  double known = 0;
  for (const double one : residuals) known += one * one;
  EXPECT_NEAR(form.at(kN, kMore, shift), known, 1e-10 * known);
}

}  // namespace
}  // namespace postern::infer
