#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "postern/model/encoded_number.hpp"

#include "fits.hpp"
#include "number_laws.hpp"

// The law of one record, of every family: moments, segments, draws and masses of levels all follow from its
// tails.

namespace postern::model {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kDraws = 20'000;

class NumberLawTest : public testing::TestWithParam<KnownLaw> {
 protected:
  const KnownLaw& k = GetParam();
  [[nodiscard]] bool whole() const { return k.family->whole; }
};

/// E(t - c) and E(t - c)^2 from the tails alone: integrals of P(t >= x) above c and P(t < x) below it. On the
/// whole numbers the midpoint rule is exact.
struct FromTails {
  double first = 0;
  double second = 0;
};
FromTails integrate(const KnownLaw& k, const Theta& theta, double c, double step, int steps) {
  FromTails out;
  for (int i = 0; i < steps; ++i) {
    const double d = (i + 0.5) * step;
    const double above = k.law->tails(theta, c + d).above;
    const double below = k.law->tails(theta, c - d).below;
    out.first += step * (above - below);
    out.second += step * 2 * d * (above + below);
  }
  return out;
}

TEST_P(NumberLawTest, MomentsAreTheIntegralsOfItsTails) {
  for (const Theta& theta : k.thetas) {
    const auto [mean, variance] = k.law->moments(theta);
    const double sd = std::sqrt(variance);
    const double c = whole() ? std::floor(mean) : mean + 0.1 * sd;
    const double step = whole() ? 1 : sd / 1000;
    const FromTails found = integrate(k, theta, c, step, static_cast<int>(60 * sd / step) + 1);
    EXPECT_NEAR(c + found.first, mean, 1e-5 * sd);
    EXPECT_NEAR(found.second, variance + (mean - c) * (mean - c), 1e-5 * variance);
  }
}

TEST_P(NumberLawTest, TailsAreComplementsAndDoNotFall) {
  for (const Theta& theta : k.thetas) {
    const auto [mean, variance] = k.law->moments(theta);
    double before = 0;
    for (double z = -6; z < 20; z += 0.37) {
      const Tails tails = k.law->tails(theta, mean + z * std::sqrt(variance));
      EXPECT_NEAR(tails.below + tails.above, 1, 1e-13);
      EXPECT_GE(tails.below, before - 1e-14);
      before = tails.below;
    }
  }
}

// Total probability, expectation and second moment: sum q = 1, sum q mu = mu, sum q (Sigma + mu^2) is that
// of the law; and q is what the tails say. Whole numbers belong to one segment each.
TEST_P(NumberLawTest, SegmentsAddUpToTheLaw) {
  const double gap = whole() ? 1 : 0;
  for (const Theta& theta : k.thetas) {
    const auto [mean, variance] = k.law->moments(theta);
    const double sd = std::sqrt(variance);
    std::vector<double> cuts{mean - 0.8 * sd, mean - 0.1 * sd, mean + 1.5 * sd, mean + 6 * sd};
    if (whole())
      for (double& cut : cuts) cut = std::floor(cut);
    double mass = 0, first = 0, second = 0, from = -kInfinity;
    for (std::size_t s = 0; s <= cuts.size(); ++s) {
      const double to = s < cuts.size() ? cuts[s] : kInfinity;
      const SegmentMoments part = k.law->segment(theta, {from, to});
      const double q = std::exp(part.log_mass);
      mass += q;
      first += q * (part.mean - mean);
      second += q * (part.variance + (part.mean - mean) * (part.mean - mean));
      const double up_to = to == kInfinity ? 1 : k.law->tails(theta, to + gap).below;
      EXPECT_NEAR(mass, up_to, 1e-12) << "segment " << s;
      EXPECT_TRUE(q == 0 || (part.mean >= from && part.mean <= to)) << "segment " << s;
      from = to + gap;
    }
    EXPECT_NEAR(mass, 1, 1e-12);
    EXPECT_NEAR(first / sd, 0, 1e-11);
    EXPECT_NEAR(second / variance, 1, 1e-11);
  }
}

TEST_P(NumberLawTest, SegmentsOfSquaresAddUpToTheLaw) {
  const auto* law = dynamic_cast<const SquaresLaw*>(k.law.get());
  ASSERT_EQ(law != nullptr, k.family->squares);
  if (law == nullptr) return;
  for (const auto& [mu, variance] : k.thetas) {
    double cross = 0, fourth = 0, square = 0, from = -kInfinity;
    for (const double to : {mu - 2.0, mu + 0.3, mu + 3.0, kInfinity}) {
      const NormalSegmentMoments part = law->square_segment({mu, variance}, {from, to});
      const double q = std::exp(part.log_mass);
      square += q * part.mean_square;
      cross += q * (part.covariance + part.mean * part.mean_square);
      fourth += q * (part.square_variance + part.mean_square * part.mean_square);
      from = to;
    }
    const double m2 = mu * mu + variance;
    EXPECT_NEAR(square, m2, 1e-11 * m2);
    EXPECT_NEAR(cross - mu * m2, 2 * mu * variance, 1e-10);  // Cov(x, x^2)
    EXPECT_NEAR(fourth - m2 * m2, 4 * mu * mu * variance + 2 * variance * variance, 1e-9);
  }
}

TEST_P(NumberLawTest, DrawsFollowItsTails) {
  Rng rng(20261116, 21, Purpose::test);
  for (const Theta& theta : k.thetas) {
    const auto [mean, variance] = k.law->moments(theta);
    const double sd = std::sqrt(variance);
    std::vector<double> edges, cdf, draws(kDraws);
    for (double z = -3; z < 4; z += 0.2) {
      edges.push_back(mean + z * sd);
      cdf.push_back(k.law->tails(theta, edges.back()).below);
    }
    double sum = 0;
    for (double& t : draws) {
      t = k.law->draw(theta, rng);
      ASSERT_TRUE(!whole() || t == std::floor(t));
      sum += t;
    }
    EXPECT_GT(fits::edges_p_value(edges, cdf, draws), fits::kAlpha);
    EXPECT_LT(std::abs(sum / kDraws - mean), 5.5 * sd / std::sqrt(kDraws));
  }
}

/// A column about the law with the policy for what is outside; levels as wide as a third of a deviation, or
/// whole numbers.
Column column_about(const KnownLaw& k, const Policy& outside) {
  Column column = number_column(*k.family, {1, 8, Rational(1, 4)});
  if (k.family->bounded) column = number_column(*k.family, {0, k.known[0]});
  column.outside = outside;
  return column;
}

TEST_P(NumberLawTest, MassesOfLevelsAreFrequenciesOfDraws) {
  Rng rng(20261116, 22, Purpose::test);
  for (const Policy& outside : {Policy(Clamp{}), Policy(MapTo{2}), Policy(Drop{})}) {
    const EncodedNumber number = encoded_number(column_about(k, outside), k.transform());
    for (const Theta& theta : k.thetas) {
      std::vector<double> masses;
      const double kept = level_masses(*k.law, theta, number, masses);
      double sum = 0;
      for (const double mass : masses) sum += mass;
      EXPECT_NEAR(sum, 1, 1e-12);
      std::vector<double> seen(number.levels() + 1);
      for (int i = 0; i < kDraws; ++i) {
        const std::int64_t level = number.level_of(k.law->draw(theta, rng));
        ++seen[level < 0 ? number.levels() : static_cast<std::size_t>(level)];
      }
      for (double& mass : masses) mass *= kept;
      masses.push_back(1 - kept);
      EXPECT_TRUE(std::holds_alternative<Drop>(outside) || kept == 1);
      EXPECT_GT(fits::cells_p_value(masses, seen), fits::kAlpha);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NumberLawTest, testing::ValuesIn(known_laws()),
                         [](const auto& one) { return test_name(one.param.family->name); });

}  // namespace
}  // namespace postern::model
