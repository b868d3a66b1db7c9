#include <cmath>

#include <gtest/gtest.h>

#include "postern/infer/markov/estimate.hpp"

#include "markov/laplace_normal.hpp"
#include "markov/na_map.hpp"
#include "markov/ridge.hpp"
#include "markov_oracles.hpp"

namespace postern::infer {
namespace {

using testing::flat;
using testing::number;

TEST(MarkovNaMap, DensityOfLaplaceAndNormalNoiseTogether) {
  const auto oracles = testing::markov_oracles();
  for (const auto& one : oracles.at("laplace_gauss_logpdf")) {
    const auto got = markov::laplace_normal(number(one.at("r")), number(one.at("b")), number(one.at("v")));
    const double wanted = number(one.at("logpdf"));
    EXPECT_NEAR(got.value, wanted, 1e-12 * (1 + std::abs(wanted)));
    EXPECT_NEAR(got.slope, number(one.at("dlogpdf")), 1e-12);
    EXPECT_NEAR(got.curvature, -number(one.at("d2logpdf")), 1e-12);
  }
}

TEST(MarkovNaMap, DensityFarOutIsLaplace) {
  // Far beyond the normal part the density is that of Laplace noise, shifted.
  for (const double r : {1e3, 1e6, -1e9}) {
    const auto got = markov::laplace_normal(r, 2, 0.5);
    EXPECT_NEAR(got.value, 0.5 / 8 - std::abs(r) / 2 - std::log(4), 1e-12 * std::abs(r));
    EXPECT_NEAR(got.slope, r > 0 ? -0.5 : 0.5, 1e-15);
    EXPECT_NEAR(got.curvature, 0, 1e-15);
  }
  // Where the normal part is far wider than the Laplace part, it is nearly normal.
  const auto wide = markov::laplace_normal(100, 0.01, 1e4);
  EXPECT_NEAR(wide.slope, -100 / 1e4, 1e-8);
  EXPECT_NEAR(wide.curvature, 1e-4, 1e-7);
}

TEST(MarkovNaMap, ObjectiveAndGradient) {
  const auto oracles = testing::markov_oracles();
  const auto& one = oracles.at("na_map_objective");
  const auto& chain = oracles.at("chain3_binary");
  const MarkovProblem problem = testing::markov_problem(
      {2, 2, 2}, {{0, 1}, {1, 2}}, flat(one.at("y")), release::DiscreteLaplace(1 / number(one.at("b"))), 50);
  const markov::Measurements data(problem, {});
  const auto got = markov::na_map_objective(data, flat(chain.at("theta")), 1);
  EXPECT_NEAR(got.value, number(one.at("F")), 1e-12);
  const std::vector<double> wanted = flat(one.at("gradient"));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(got.gradient[i], wanted[i], 1e-12 * (1 + std::abs(wanted[i])));
}

TEST(MarkovNaMap, TheModeOfAChain) {
  const testing::Chain5 chain;
  const MarkovFit laplace = estimate_markov(chain.problem(), MarkovEstimator::na_map,
                                            {.prior_variance = 1, .iterations = 300, .tolerance = 1e-7}, {});
  EXPECT_NEAR(chain.kl(*laplace.model, laplace.theta), chain.wanted("na_map_s2_1"), 1e-5);
  EXPECT_NEAR(laplace.objective, chain.wanted("na_map_s2_1_F"), 1e-5);
  EXPECT_EQ(laplace.stop, MarkovStop::certified);
  const MarkovFit normal = estimate_markov(chain.problem(release::DiscreteGaussian(2 * chain.b * chain.b)),
                                           MarkovEstimator::na_map,
                                           {.prior_variance = 1, .iterations = 300, .tolerance = 1e-7}, {});
  EXPECT_NEAR(chain.kl(*normal.model, normal.theta), chain.wanted("na_map_gauss_var2b2_s2_1"), 1e-5);
  EXPECT_NEAR(normal.objective, chain.wanted("na_map_gauss_F (0.5 sum r^2/(2b^2) + 0.5|t|^2)"), 1e-5);
}

TEST(MarkovNaMap, EmpiricalBayesNeedsNoPrior) {
  const testing::Chain5 chain;
  const MarkovFit fit = estimate_markov(chain.problem(), MarkovEstimator::na_map, {}, {});
  EXPECT_LT(chain.kl(*fit.model, fit.theta), 0.41);
  EXPECT_GT(*fit.prior_variance, 0.1);
  EXPECT_LT(*fit.prior_variance, 2);
}

// Noise that is small beside the counts: a matrix of condition 10^6, on which steps that are cut short never
// arrive.
TEST(MarkovNaMap, ReachesTheModeWhereNoiseIsSmall) {
  Rng rng(1, 0, Purpose::test);
  const std::size_t columns = 12;
  const release::NoiseLaw law = release::DiscreteGaussian(9);
  MarkovProblem problem{graph::Sizes(columns, 4), {}, KnownTotal{100'000}, {}};
  for (std::uint32_t a = 0; a < columns; ++a) {
    for (std::uint32_t b = a + 1; b < columns && b <= a + 3; ++b)
      problem.tables.push_back({{a, b}, std::vector<double>(16, 0.0), law});
  }
  std::vector<std::uint32_t> record(columns);
  for (int i = 0; i < 100'000; ++i) {
    for (std::size_t j = 0; j < columns; ++j)
      record[j] = j > 0 && rng() % 2 == 0 ? record[j - 1] : static_cast<std::uint32_t>(rng() % 4);
    for (NoisyTable& table : problem.tables)
      table.values[record[table.variables[0]] * 4 + record[table.variables[1]]] += 1;
  }
  for (NoisyTable& table : problem.tables) {
    for (double& value : table.values) value += static_cast<double>(release::simulate(law, rng));
  }
  const MarkovFit fit = estimate_markov(problem, MarkovEstimator::na_map, {}, {});
  EXPECT_EQ(fit.stop, MarkovStop::certified);
  EXPECT_LT(fit.iterations, 20);
  EXPECT_LT(fit.prior_variance.value(), 1);
}

}  // namespace
}  // namespace postern::infer
