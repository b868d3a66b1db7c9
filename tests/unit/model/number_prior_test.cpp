#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "fits.hpp"
#include "number_laws.hpp"

// The conjugate prior of every family: a density, draws from it, and Bayes' rule.

namespace postern::model {
namespace {

class NumberPriorTest : public testing::TestWithParam<KnownLaw> {
 protected:
  const KnownLaw& k = GetParam();
  [[nodiscard]] Hyper prior() const {
    if (k.two()) return {0.5, 2, 3, 1.5};
    return k.law->space(0) == ParameterSpace::real ? Hyper{0.5, 2} : Hyper{2.5, 1.5};
  }
};

/// log P(cell about t): the density up to a factor that does not depend on theta, or the probability.
double log_likelihood(const KnownLaw& k, const Theta& theta, double t) {
  constexpr double kHalf = 1e-4;
  const double from = k.family->whole ? t : t - kHalf;
  const double to = k.family->whole ? t + 1 : t + kHalf;
  const Tails a = k.law->tails(theta, from);
  const Tails b = k.law->tails(theta, to);
  return std::log(b.below < 0.5 ? b.below - a.below : a.above - b.above);
}

// log posterior - log prior - log likelihood is the evidence, the same for every theta.
TEST_P(NumberPriorTest, UpdateIsBayesRule) {
  const std::vector<double> records =
      k.family->whole ? std::vector<double>{0, 2, 1, 2, 0} : std::vector<double>{1.1, 2.25, 0.9, 3.5, 1.75};
  Sums sums;
  sums.n = static_cast<double>(records.size());
  for (const double t : records) {
    sums.t += t;
    sums.squares += t * t;
  }
  ASSERT_TRUE(k.law->possible(sums));
  const Hyper after = k.law->update(prior(), sums);
  std::vector<Theta> thetas = k.thetas;
  thetas.push_back(k.two() ? Theta{0.3, 1.5} : Theta{0.4});
  std::vector<double> evidence;
  for (const Theta& theta : thetas) {
    double log_ratio = k.law->log_prior(prior(), theta) - k.law->log_prior(after, theta);
    for (const double t : records) log_ratio += log_likelihood(k, theta, t);
    evidence.push_back(log_ratio);
  }
  for (const double e : evidence) EXPECT_NEAR(e, evidence.front(), 2e-6);
}

TEST_P(NumberPriorTest, NothingSeenLeavesThePrior) {
  EXPECT_EQ(k.law->update(prior(), {}), prior());
  EXPECT_TRUE(k.law->possible({}));
}

/// A grid over one parameter: theta and d theta.
struct Grid {
  std::vector<double> at, width;
};
Grid grid_over(ParameterSpace space, int points) {
  Grid grid;
  for (int i = 0; i < points; ++i) {
    const double u = (i + 0.5) / points;
    if (space == ParameterSpace::unit) {
      grid.at.push_back(u);
      grid.width.push_back(1.0 / points);
    } else if (space == ParameterSpace::positive) {  // even in the logarithm
      grid.at.push_back(std::exp(-14 + 22 * u));
      grid.width.push_back(22 * grid.at.back() / points);
    } else {
      grid.at.push_back(-80 + 160 * u);
      grid.width.push_back(160.0 / points);
    }
  }
  return grid;
}

/// The prior's masses on the grid of each parameter, by summing exp(log_prior) over the other.
std::vector<std::vector<double>> marginals(const KnownLaw& k, const Hyper& prior, const Grid& a,
                                           const Grid& b) {
  std::vector<std::vector<double>> out{std::vector<double>(a.at.size()), std::vector<double>(b.at.size())};
  for (std::size_t i = 0; i < a.at.size(); ++i) {
    for (std::size_t j = 0; j < b.at.size(); ++j) {
      const double mass = std::exp(k.law->log_prior(prior, {a.at[i], b.at[j]})) * a.width[i] * b.width[j];
      out[0][i] += mass;
      out[1][j] += mass;
    }
  }
  return out;
}

/// The p-value of draws against masses of cells [edge_i, edge_i+1).
double p_value(const Grid& grid, const std::vector<double>& masses, const std::vector<double>& draws) {
  std::vector<double> edges, cdf;
  double sum = 0;
  const std::size_t stride = std::max<std::size_t>(1, grid.at.size() / 200);
  for (std::size_t i = 0; i + 1 < grid.at.size(); ++i) {
    sum += masses[i];
    if (i % stride != 0) continue;
    edges.push_back(grid.at[i] + grid.width[i] / 2);
    cdf.push_back(sum);
  }
  return fits::edges_p_value(edges, cdf, draws);
}

TEST_P(NumberPriorTest, DrawsFollowTheDensityWhichIsNormalised) {
  const Grid a = grid_over(k.law->space(0), k.two() ? 1000 : 20'000);
  const Grid b = k.two() ? grid_over(k.law->space(1), 400) : Grid{{0}, {1}};
  const auto masses = marginals(k, prior(), a, b);
  EXPECT_NEAR(std::accumulate(masses[0].begin(), masses[0].end(), 0.0), 1, 1e-5);
  Rng rng(20261116, 31, Purpose::test);
  std::vector<double> first(20'000), second(20'000);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Theta theta = k.law->draw_theta(prior(), rng);
    first[i] = theta[0];
    second[i] = theta[1];
  }
  EXPECT_GT(p_value(a, masses[0], first), fits::kAlpha);
  if (!k.two()) return;
  EXPECT_GT(p_value(b, masses[1], second), fits::kAlpha);
}

INSTANTIATE_TEST_SUITE_P(All, NumberPriorTest, testing::ValuesIn(known_laws()),
                         [](const auto& one) { return test_name(one.param.family->name); });

const NumberLaw& normal() {
  static const auto law = find_number_family("normal")->law({});
  return *law;
}

TEST(NormalPrior, OracleOfTheSpecification) {
  const Hyper after = normal().update({0.5, 2, 3, 1.5}, {10, 7, 12});
  EXPECT_NEAR(after[0], 2.0 / 3, 1e-15);
  EXPECT_EQ(after[1], 12);
  EXPECT_EQ(after[2], 8);
  EXPECT_NEAR(after[3], 5.0833333333333333, 1e-13);
}

// Records that are all alike have no scatter, whatever rounding makes of n s2 - s1^2.
TEST(NormalPrior, IsNeverNarrowedByRounding) {
  for (const double x : {0.1, 1.0 / 3, 1e8 + 0.1, -12345.678}) {
    for (double n = 1; n < 1e6; n *= 7) {
      const Hyper after = normal().update({x, 2, 3, 1.5}, {n, n * x, n * (x * x)});
      EXPECT_GE(after[3], 1.5);
      EXPECT_LE(after[3], 1.5 + 1e-15 * n * x * x);
    }
  }
}

TEST(PossibleSums, AreThoseThatRecordsCanMake) {
  const auto law = [](const char* name, std::vector<Rational> known) {
    return find_number_family(name)->law(known);
  };
  EXPECT_FALSE(law("binomial", {4})->possible({3, 13, 0}));
  EXPECT_TRUE(law("binomial", {4})->possible({3, 12, 0}));
  EXPECT_FALSE(law("binomial", {4})->possible({3, -1, 0}));
  EXPECT_FALSE(law("poisson", {})->possible({3, -1, 0}));
  EXPECT_FALSE(law("geometric", {})->possible({3, -1, 0}));
  EXPECT_FALSE(law("negative-binomial", {2})->possible({3, -1, 0}));
  EXPECT_FALSE(law("exponential", {})->possible({3, -1, 0}));
  EXPECT_FALSE(law("pareto", {2})->possible({3, 3 * std::log(2.0) - 0.1, 0}));
  EXPECT_TRUE(law("pareto", {2})->possible({3, 3 * std::log(2.0) + 0.1, 0}));
  EXPECT_TRUE(law("normal-mean", {2})->possible({3, -100, 0}));
  EXPECT_FALSE(normal().possible({3, 3, 2.9}));
  EXPECT_TRUE(normal().possible({3, 3, 3.1}));
  EXPECT_FALSE(normal().possible({0, 3, 3}));
}

}  // namespace
}  // namespace postern::model
