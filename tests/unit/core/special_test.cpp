#include "postern/core/special.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "special_values.hpp"

namespace postern {
namespace {

void expect_close(double got, double want, double relative) {
  EXPECT_LE(std::abs(got - want), relative * std::abs(want) + 1e-300) << "got " << got << ", want " << want;
}

TEST(Special, LogGamma) {
  for (const auto& [x, value] : values::kLogGamma) expect_close(log_gamma(x), value, 1e-15);
  EXPECT_EQ(log_gamma(1), 0);
  EXPECT_EQ(log_gamma(2), 0);
}

TEST(Special, LogRising) {
  for (const auto& [x, s, value] : values::kLogRising) {
    SCOPED_TRACE(testing::Message() << "x " << x << " s " << s);
    expect_close(log_rising(x, s), value, 1e-15);
  }
  EXPECT_EQ(log_rising(3.5, 0), 0);
  EXPECT_TRUE(std::isnan(log_rising(-1e300, 0.5)));
  EXPECT_TRUE(std::isnan(log_rising(2, -2)));
}

TEST(Special, LogChoose) {
  for (const auto& [n, k, value] : values::kLogChoose) expect_close(log_choose(n, k), value, 2e-15);
  EXPECT_EQ(log_choose(7, 0), 0);
  EXPECT_EQ(log_choose(7, 7), 0);
  EXPECT_EQ(log_choose(7, 8), kMinusInfinity);
  EXPECT_EQ(log_choose(7, -1), kMinusInfinity);
  EXPECT_DOUBLE_EQ(log_factorial(5), std::log(120.0));
}

TEST(Special, LogBeta) {
  for (const auto& [a, b, value] : values::kLogBeta) {
    expect_close(log_beta(a, b), value, 2e-15);
    expect_close(log_beta(b, a), value, 2e-15);
  }
}

TEST(Special, LogSums) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(log_add_exp(-1000, -1000), -1000 + std::log(2.0));
  EXPECT_EQ(log_add_exp(-inf, -3), -3);
  EXPECT_EQ(log_add_exp(-inf, -inf), -inf);
  const std::vector<double> x = {-1000, -1001, -inf, -1002};
  EXPECT_DOUBLE_EQ(log_sum_exp(x), -1000 + std::log(1 + std::exp(-1.0) + std::exp(-2.0)));
  EXPECT_EQ(log_sum_exp({}), -inf);
  EXPECT_EQ(log_sum_exp(std::vector<double>{-inf, -inf}), -inf);
  EXPECT_DOUBLE_EQ(log1m_exp(-1e-10), std::log(1e-10) - 0.5e-10);
  EXPECT_DOUBLE_EQ(log1m_exp(-50), -std::exp(-50.0));
}

// Rounding x alone moves I_x by x f(x) 1.1e-16, which is what the second term allows.
TEST(Special, BetaCdf) {
  for (const auto& [a, b, x, value] : values::kBetaCdf) {
    SCOPED_TRACE(testing::Message() << "a " << a << " b " << b << " x " << x);
    const double rounding = 2e-16 * std::exp(beta_log_density(a, b, x)) * x;
    EXPECT_NEAR(beta_cdf(a, b, x), value, 2e-14 * value + rounding);
    EXPECT_NEAR(1 - beta_cdf(b, a, 1 - x), value,
                1e-15 + 2 * rounding + 4e-16 * std::exp(beta_log_density(a, b, x)));
  }
  EXPECT_EQ(beta_cdf(2, 3, 0), 0);
  EXPECT_EQ(beta_cdf(2, 3, 1), 1);
}

TEST(Special, BetaDensityIsTheSlopeOfTheCdf) {
  for (const double a : {0.3, 2.0, 40.0, 1e5}) {
    for (const double b : {0.7, 12.0, 3e4}) {
      const double x = beta_quantile(a, b, 0.3);
      const double h = 1e-4 * std::sqrt(a * b / (a + b + 1)) / (a + b);
      const double slope = (beta_cdf(a, b, x + h) - beta_cdf(a, b, x - h)) / (2 * h);
      EXPECT_NEAR(slope / std::exp(beta_log_density(a, b, x)), 1, 1e-5) << a << " " << b;
    }
  }
}

TEST(Special, BetaQuantileInvertsTheCdf) {
  for (const double a : {1e-3, 0.1, 1.0, 7.0, 300.0, 1e6, 1e9}) {
    for (const double b : {1e-3, 0.5, 2.0, 300.0, 1e6, 1e9}) {
      for (const double p : {1e-12, 1e-3, 0.05, 0.5, 0.95, 0.999}) {
        SCOPED_TRACE(testing::Message() << "a " << a << " b " << b << " p " << p);
        const double x = beta_quantile(a, b, p);
        ASSERT_TRUE(x >= 0 && x <= 1);
        if (x < 1e-300) {
          EXPECT_GE(beta_cdf(a, b, 1e-300), p);
        } else if (x > 1 - 1e-15) {
          EXPECT_LE(beta_cdf(a, b, 1 - 2e-15), p);
        } else {
          const double rounding = 4e-16 * x * std::exp(beta_log_density(a, b, x));
          EXPECT_NEAR(beta_cdf(a, b, x), p, 2e-14 * p + rounding + (b < 1 ? 1e-15 : 0));
        }
      }
    }
  }
}

TEST(Special, Normal) {
  for (const auto& [p, x] : values::kNormalQuantile) {
    EXPECT_NEAR(normal_quantile(p), x, 2e-15 * std::abs(x) + 1e-16);
    EXPECT_NEAR(normal_cdf(x), p, 1e-13 * p);
  }
}

TEST(Special, ChiSquareTail) {
  for (const auto& [x, degrees, value] : values::kChiSquareTail) {
    expect_close(chi_square_tail(x, degrees), value, degrees > 1e5 ? 1e-11 : 1e-13);
  }
  EXPECT_EQ(chi_square_tail(0, 3), 1);
}

TEST(Special, KolmogorovTail) {
  // For n beyond doubt Stephens' factor is sqrt(n).
  for (const auto& [t, value] : values::kKolmogorov) {
    const double n = 1e30;
    EXPECT_NEAR(kolmogorov_tail(t / std::sqrt(n), n), value, 1e-13);
  }
  EXPECT_EQ(kolmogorov_tail(0, 100), 1);
  EXPECT_LT(kolmogorov_tail(2.7 / 100, 10'000), 1e-6);
}

TEST(Special, ClopperPearson) {
  for (const auto& [k, n, alpha, lower, upper] : values::kClopperPearson) {
    expect_close(binomial_lower_limit(k, n, alpha), lower, 1e-12);
    expect_close(binomial_upper_limit(k, n, alpha), upper, 1e-12);
  }
  EXPECT_EQ(binomial_lower_limit(0, 10, 0.05), 0);
  EXPECT_EQ(binomial_upper_limit(10, 10, 0.05), 1);
}

}  // namespace
}  // namespace postern
