#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/noise/noisy_sum.hpp"

namespace postern::infer {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

NoisyValue laplace(double y, double b) { return {y, release::DiscreteLaplace(1 / b)}; }
NoisyValue gaussian(double y, double variance) { return {y, release::DiscreteGaussian(variance)}; }

// The oracles `log_normal_laplace`.
TEST(NoisySum, IsTheNormalLaplaceDensity) {
  const auto log_density = [](double y, double m, double v, double b) {
    return NoisySum(std::vector{laplace(y, b)}).log_likelihood(m, v);
  };
  EXPECT_NEAR(log_density(42, 50, 25, 10), -3.719064699490062, 1e-12);
  EXPECT_NEAR(log_density(0, 0, 1, 1), -1.341021645009264, 1e-13);
  EXPECT_NEAR(log_density(30, 0, 1, 0.5), -58.0, 1e-12);
  EXPECT_NEAR(log_density(-500, 10, 4, 100), -10.398117366548036, 1e-12);
}

/// The integral of N(s; m, v) times the noisy values' densities, by Simpson's rule.
struct Quadrature {
  double m, v;
  std::vector<NoisyValue> noisy_values;

  [[nodiscard]] double log_density(double s) const {
    double sum = -0.5 * ((s - m) * (s - m) / v + std::log(2 * M_PI * v));
    for (const NoisyValue& noisy_value : noisy_values) {
      if (const auto* law = std::get_if<release::DiscreteLaplace>(&noisy_value.law)) {
        sum += std::log(law->lambda() / 2) - law->lambda() * std::abs(noisy_value.y - s);
      } else {
        const double variance = std::get<release::DiscreteGaussian>(noisy_value.law).sigma2();
        sum -= 0.5 * ((s - noisy_value.y) * (s - noisy_value.y) / variance + std::log(2 * M_PI * variance));
      }
    }
    return sum;
  }
  [[nodiscard]] double mass(double lo, double hi) const {
    constexpr int kSteps = 24'000;  // on [-60, 60] every whole number is at an even step
    const double h = (hi - lo) / kSteps;
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i)
      sum += (i == 0 || i == kSteps ? 1 : i % 2 == 0 ? 2 : 4) * std::exp(log_density(lo + i * h));
    return sum * h / 3;
  }
};

const std::vector<Quadrature> kMixed = {
    {3, 4, {laplace(5, 2), laplace(1, 0.5)}},
    {3, 4, {laplace(5, 2), laplace(1, 0.5), laplace(9, 3), gaussian(2, 6)}},
    {0, 1, {laplace(12, 0.25), laplace(11, 0.3)}},
    {0, 100, {gaussian(5, 2), gaussian(7, 1), laplace(6, 1), laplace(6, 1)}},
    {10, 0.01, {laplace(0, 1), laplace(20, 1)}},
    {4, 9, {gaussian(1, 4)}},
};

TEST(NoisySum, SeveralNoisyValuesAgainstQuadrature) {
  for (const Quadrature& q : kMixed) {
    EXPECT_NEAR(NoisySum(q.noisy_values).log_likelihood(q.m, q.v), std::log(q.mass(-60, 60)), 1e-9);
  }
}

/// 20000 draws on [lo, hi] against the quadrature: chi-square on 20 equal cells between their quantiles.
void expect_draws(const Quadrature& q, double lo, double hi) {
  constexpr int kDraws = 20'000;
  constexpr int kCells = 20;
  const NoisySum sum(q.noisy_values);
  Rng rng(20261116, 7, Purpose::test);
  std::vector<double> draws;
  for (int i = 0; i < kDraws; ++i) {
    draws.push_back(sum.draw(q.m, q.v, lo, hi, rng));
    ASSERT_TRUE(draws.back() >= lo && draws.back() <= hi);
  }
  std::vector<double> order = draws;
  std::sort(order.begin(), order.end());
  const double from = std::max(lo, order[10]);
  const double to = std::min(hi, order[kDraws - 11]);
  const double whole = q.mass(std::max(lo, -80.0), std::min(hi, 80.0));
  double statistic = 0;
  for (int c = 0; c < kCells; ++c) {
    const double begin = from + (to - from) * c / kCells;
    const double end = from + (to - from) * (c + 1) / kCells;
    const double expected = kDraws * q.mass(begin, end) / whole;
    const auto count = static_cast<double>(
        std::count_if(draws.begin(), draws.end(), [&](double x) { return x >= begin && x < end; }));
    if (expected > 5) statistic += (count - expected) * (count - expected) / expected;
  }
  EXPECT_GT(chi_square_tail(statistic, kCells), 1e-6) << q.m << " on " << lo << ".." << hi;
}

TEST(NoisySum, DrawsFollowTheLaw) {
  expect_draws({50, 25, {laplace(42, 10)}}, -kInfinity, kInfinity);
  expect_draws({50, 25, {laplace(42, 10)}}, 0, 43);
  expect_draws({50, 25, {laplace(42, 0.5)}}, 41, 80);
  expect_draws({5, 25, {laplace(-20, 2)}}, 0, 10);
  for (const Quadrature& q : kMixed) {
    expect_draws(q, -kInfinity, kInfinity);
    expect_draws(q, 2.5, 6);
  }
}

TEST(NoisySum, MirroredNoisyValuesAreNoisyValuesOfTheRest) {
  const std::vector<NoisyValue> direct{laplace(5, 2), gaussian(4, 3)};
  const std::vector<NoisyValue> mirrored{laplace(14, 3), gaussian(15, 2)};
  NoisySum both(direct, mirrored);
  const std::vector<NoisyValue> turned{laplace(5, 2), gaussian(4, 3), laplace(6, 3), gaussian(5, 2)};
  const NoisySum plain(turned);
  both.mirror_about(33);
  both.mirror_about(20);
  EXPECT_NEAR(both.log_likelihood(3, 4), plain.log_likelihood(3, 4), 1e-12);
  EXPECT_NEAR(both.log_density(3), plain.log_density(3), 1e-12);
}

TEST(NoisySum, StaysFiniteAtExtremes) {
  Rng rng(3, 3, Purpose::test);
  for (const double y : {-1e15, 0.0, 1e15}) {
    for (const double b : {1e-3, 1.0, 1e15}) {
      for (const double v : {0.0, 1e-300, 1.0, 1e18}) {
        const NoisySum sum(std::vector{laplace(y, b)});
        const NoisySum two(std::vector{laplace(y, b), laplace(3, b)});
        for (const NoisySum* s : {&sum, &two}) {
          EXPECT_FALSE(std::isnan(s->log_likelihood(100, v))) << y << " " << b << " " << v;
          const double x = s->draw(100, v, 0, 1000, rng);
          EXPECT_TRUE(x >= 0 && x <= 1000) << y << " " << b << " " << v;
        }
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
