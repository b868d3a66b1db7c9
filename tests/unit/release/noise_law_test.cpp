#include "postern/release/noise_law.hpp"

#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::release {
namespace {

struct LawFacts {
  double parameter;
  double log_norm;
  double variance;
};

// mpmath, 60 digits, at the double nearest to each parameter.
constexpr LawFacts kGaussian[] = {
    {0.001, 0.0, 1.424915281348271937e-217},
    {0.05, -0.00009079573746725299261, 0.00009079161565905585222},
    {0.15915494309189535, -0.08290152003105468751, 0.07957747154594768213},
    {0.5, -0.5724683839469007137, 0.4989791308328204618},
    {0.999, -0.9184382884951223605, 0.9989997849874172512},
    {1, -0.9189385385552487096, 0.9999997887677280831},
    {1.5, -1.121671087259031682, 1.499999999975417386},
    {7.25, -1.909439267637964446, 7.25},
    {100, -3.221523626198718426, 100.0},
    {1e12, -14.73444909116894685, 1000000000000.0},
    {1e30, -35.45771492811535801, 1.00000000000000002e+30},
};
constexpr LawFacts kLaplace[] = {
    {1e-12, -28.32416829648849354, 2.00000000000000008e+24},
    {1e-3, -7.600902542875410813, 1999999.833333341583},
    {0.1, -2.996565121117661648, 199.8334166336094317},
    {0.999, -0.7727883100237488564, 1.845337792473754077},
    {1, -0.7719368329053047251, 1.841347188415584638},
    {2.5, -0.1645402180345878045, 0.1948448161317527664},
    {30, -1.871524593768034921e-13, 1.871524593768385181e-13},
    {700, 0.0, 1.971935308751954171e-304},
};

void expect_close(double value, double truth, double parameter) {
  EXPECT_NEAR(value, truth, 1e-15 * std::max(std::abs(truth), std::abs(value))) << "parameter " << parameter;
}

TEST(NoiseLaw, GaussianNormaliserAndVarianceAreExact) {
  for (const LawFacts& facts : kGaussian) {
    const DiscreteGaussian law(facts.parameter);
    if (facts.log_norm != 0) expect_close(law.log_pmf(0), facts.log_norm, facts.parameter);
    expect_close(law.variance(), facts.variance, facts.parameter);
  }
}

TEST(NoiseLaw, LaplaceNormaliserAndVarianceAreExact) {
  for (const LawFacts& facts : kLaplace) {
    const DiscreteLaplace law(facts.parameter);
    if (facts.log_norm != 0) expect_close(law.log_pmf(0), facts.log_norm, facts.parameter);
    expect_close(law.variance(), facts.variance, facts.parameter);
  }
}

/// Both sides of the change of series, and a law on each side of it, sum to one and have the stated variance.
TEST(NoiseLaw, ProbabilitiesSumToOne) {
  const std::vector<NoiseLaw> laws{DiscreteLaplace(0.05),  DiscreteLaplace(1),       DiscreteLaplace(40),
                                   DiscreteGaussian(0.03), DiscreteGaussian(0.9999), DiscreteGaussian(1.0001),
                                   DiscreteGaussian(400)};
  for (const NoiseLaw& law : laws) {
    double total = 0;
    double second = 0;
    for (int k = -2000; k <= 2000; ++k) {
      const double p = std::exp(log_pmf(law, k));
      total += p;
      second += p * k * k;
    }
    EXPECT_NEAR(total, 1, 1e-13);
    EXPECT_NEAR(second, variance(law), 1e-12 * variance(law));
  }
}

double tail_past(const NoiseLaw& law, double r) {
  double tail = 0;
  for (double k = r + 1; k < r + 4000; ++k) tail += 2 * std::exp(log_pmf(law, k));
  return tail;
}

TEST(NoiseLaw, LaplaceRadiusIsTheLeast) {
  for (const double lambda : {0.03, 0.5, 3.0}) {
    for (const double log_odds : {0.0, 0.7, 5.0, 36.0}) {
      const DiscreteLaplace law(lambda);
      const double r = law.radius(log_odds);
      EXPECT_LE(tail_past(law, r), std::exp(-log_odds) * (1 + 1e-9));
      if (r > 0) {
        EXPECT_GT(tail_past(law, r - 1), std::exp(-log_odds) * (1 - 1e-9));
      }
    }
  }
}

TEST(NoiseLaw, GaussianRadiusHoldsAndIsClose) {
  for (const double sigma2 : {1e-3, 0.2, 1.0, 30.0, 1e4}) {
    for (const double log_odds : {1.0, 5.0, 36.0, 300.0}) {
      const DiscreteGaussian law(sigma2);
      const double r = law.radius(log_odds);
      EXPECT_LE(tail_past(law, r), std::exp(-log_odds));
      const double slack = std::ceil(0.4 * std::sqrt(sigma2) / std::pow(log_odds, 1.5) + 1);
      if (r > slack) {
        EXPECT_GT(tail_past(law, r - slack), std::exp(-log_odds)) << sigma2 << " " << log_odds;
      }
    }
  }
}

TEST(NoiseLaw, RadiusIsFiniteAtTheLimits) {
  for (const double parameter : {1e-18, 1e-12, 1e12, 1e30}) {
    EXPECT_TRUE(std::isfinite(DiscreteLaplace(parameter).radius(700)));
    EXPECT_TRUE(std::isfinite(DiscreteGaussian(parameter).radius(700)));
  }
}

/// Chi-square against the pmf, cells of expectation >= 20 and merged tails, n = 200000, alpha = 1e-6 a law.
TEST(NoiseLaw, SimulationFollowsTheLaw) {
  constexpr int kDraws = 200'000;
  const std::vector<NoiseLaw> laws{DiscreteLaplace(0.02), DiscreteLaplace(1),  DiscreteLaplace(6),
                                   DiscreteGaussian(0.2), DiscreteGaussian(1), DiscreteGaussian(2),
                                   DiscreteGaussian(300)};
  std::uint32_t stream = 0;
  for (const NoiseLaw& law : laws) {
    Rng rng(20261005, stream++, Purpose::test);
    std::map<long, double> seen;
    for (int i = 0; i < kDraws; ++i) seen[static_cast<long>(simulate(law, rng))] += 1;
    const auto expected = [&](long k) { return kDraws * std::exp(log_pmf(law, static_cast<double>(k))); };
    long edge = 0;
    while (expected(edge + 1) >= 20) ++edge;
    double statistic = 0;
    double inside_seen = 0;
    double inside_expected = 0;
    for (long k = -edge; k <= edge; ++k) {
      statistic += std::pow(seen[k] - expected(k), 2) / expected(k);
      inside_seen += seen[k];
      inside_expected += expected(k);
    }
    const double outside = kDraws - inside_expected;
    if (outside > 1) statistic += std::pow(kDraws - inside_seen - outside, 2) / outside;
    EXPECT_GT(chi_square_tail(statistic, 2.0 * static_cast<double>(edge) + 1), 1e-6) << "law " << stream - 1;
  }
}

/// E|K| lambda -> 1 and E K^2 / sigma2 -> 1. n = 40000; 5 sd of the mean is 0.025 and 0.036.
TEST(NoiseLaw, SimulationKeepsItsScaleAtTheLimits) {
  constexpr int kDraws = 40'000;
  Rng rng(7, 0, Purpose::test);
  for (const double scale : {1e12, 1e18}) {
    const DiscreteLaplace laplace(1 / scale);
    const DiscreteGaussian gaussian(scale * scale);
    double absolute = 0;
    double square = 0;
    for (int i = 0; i < kDraws; ++i) {
      absolute += std::abs(static_cast<double>(laplace.simulate(rng))) / scale;
      square += std::pow(static_cast<double>(gaussian.simulate(rng)) / scale, 2);
    }
    EXPECT_NEAR(absolute / kDraws, 1, 0.025);
    EXPECT_NEAR(square / kDraws, 1, 0.036);
  }
  EXPECT_EQ(DiscreteLaplace(1e12).simulate(rng), 0);
  EXPECT_EQ(DiscreteGaussian(1e-12).simulate(rng), 0);
}

TEST(NoiseLaw, TakesTheParameterOfTheMeasurement) {
  EXPECT_DOUBLE_EQ(
      std::get<DiscreteLaplace>(noise_law({model::NoiseKind::discrete_laplace, Rational(37, 1000)})).lambda(),
      0.037);
  EXPECT_DOUBLE_EQ(
      std::get<DiscreteGaussian>(noise_law({model::NoiseKind::discrete_gaussian, Rational(900)})).sigma2(),
      900);
}

TEST(NoiseLaw, RefusesParametersThatAreNotPositive) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(DiscreteLaplace{bad}, Error);
    EXPECT_THROW(DiscreteGaussian{bad}, Error);
  }
}

}  // namespace
}  // namespace postern::release
