#include "ball.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"

namespace postern::zhang16 {
namespace {

/// Means of |w|^2 and w_1 under the law itself, on a grid of the disc.
TEST(BallNormal, DrawsFollowTheirLaw) {
  struct Case {
    std::vector<double> precision, h;
    double radius;
  };
  Rng rng(20261118, 0, Purpose::test);
  for (const Case& one : {Case{{1e-6, 1e-6}, {0, 0}, 1}, Case{{4, 1}, {8, -3}, 1},
                          Case{{30, 2}, {20, 20}, 0.5}, Case{{50, 50}, {1, 2}, 1}}) {
    double mass = 0;
    double first = 0;
    double square = 0;
    constexpr int kSide = 800;
    for (int i = 0; i < kSide; ++i) {
      for (int j = 0; j < kSide; ++j) {
        const double x = one.radius * (2 * (i + 0.5) / kSide - 1);
        const double y = one.radius * (2 * (j + 0.5) / kSide - 1);
        if (x * x + y * y > one.radius * one.radius) continue;
        const double density = std::exp(-0.5 * (one.precision[0] * x * x + one.precision[1] * y * y) +
                                        one.h[0] * x + one.h[1] * y);
        mass += density;
        first += density * x;
        square += density * (x * x + y * y);
      }
    }
    BallNormal law(one.precision, one.h, one.radius);
    constexpr int kDraws = 40'000;
    double drawn_first = 0;
    double drawn_square = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::vector<double> w = law.draw(rng);
      const double length2 = w[0] * w[0] + w[1] * w[1];
      ASSERT_LE(length2, one.radius * one.radius);
      drawn_first += w[0] / kDraws;
      drawn_square += length2 / kDraws;
    }
    const double error = 5 * one.radius / std::sqrt(kDraws);
    EXPECT_NEAR(drawn_first, first / mass, error);
    EXPECT_NEAR(drawn_square, square / mass, error * one.radius);
  }
}

/// Figures of the prototype, for a law that is flat in the ball.
TEST(BallNormal, AcceptsAsOftenAsThePrototype) {
  Rng rng(20261118, 1, Purpose::test);
  BallNormal flat(std::vector<double>(14, 1e-9), std::vector<double>(14, 0.0), 1);
  for (int i = 0; i < 2000; ++i) (void)flat.draw(rng);
  EXPECT_NEAR(flat.acceptance(), 0.153, 0.012);
}

/// The most by which the log density of one w beside another's can change with one record, searched for.
TEST(BallLoss, IsWhatASearchFindsAndNoMore) {
  Rng rng(20261118, 2, Purpose::test);
  const auto point = [&](double radius) {
    const double angle = 6.283185307179586 * rng.uniform();
    return std::pair{radius * std::cos(angle), radius * std::sin(angle)};
  };
  for (const double radius : {0.1, 0.5, 1.0, 2.0, 5.0}) {
    double most = 0;
    for (int i = 0; i < 40'000; ++i) {
      const auto x = point(1);
      const auto other = point(1);
      const double y = rng.uniform() < 0.5 ? -1 : 1;
      const double other_y = rng.uniform() < 0.5 ? -1 : 1;
      const auto term = [&](const std::pair<double, double>& w) {
        const double here = y - w.first * x.first - w.second * x.second;
        const double there = other_y - w.first * other.first - w.second * other.second;
        return (there * there - here * here) / 2;
      };
      most = std::max(most, std::abs(term(point(radius)) - term(point(radius))));
    }
    EXPECT_LE(most, ball_loss(radius));
    EXPECT_GT(most, 0.85 * ball_loss(radius));
  }
}

}  // namespace
}  // namespace postern::zhang16
