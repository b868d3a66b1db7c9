// Every estimator on problems that are odd, and on such that are none.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/markov/estimate.hpp"

#include "markov_oracles.hpp"

namespace postern::infer {
namespace {

class EveryEstimator : public ::testing::TestWithParam<MarkovEstimator> {
 protected:
  static MarkovFit fit(const MarkovProblem& problem) { return estimate_markov(problem, GetParam(), {}, {}); }
  /// Marginals are probabilities that agree with theta.
  static void expect_law(const MarkovFit& fit) {
    graph::LogLinear::Workspace work = fit.model->workspace();
    EXPECT_NEAR(fit.model->evaluate(fit.theta, work), fit.log_partition,
                1e-9 * (1 + std::abs(fit.log_partition)));
    for (std::size_t i = 0; i < fit.marginals.size(); ++i) {
      EXPECT_NEAR(fit.marginals[i], work.marginals[i], 1e-9);
      EXPECT_GE(fit.marginals[i], 0);
    }
  }
};

const release::NoiseLaw kLaplace = release::DiscreteLaplace(0.2);
const release::NoiseLaw kNormal = release::DiscreteGaussian(30);

TEST_P(EveryEstimator, TablesThatRepeatPermuteHoldOneAnotherAndMixLaws) {
  MarkovProblem problem{{2, 3, 1, 2}, {}, LatentTotal{100'000, 0}, {}};
  problem.tables.push_back({{0, 1}, {40, 61, 0, 100, 20, 80}, kLaplace});
  problem.tables.push_back({{1, 0}, {41, 99, 57, 22, -3, 79}, kNormal});
  problem.tables.push_back({{1}, {140, 82, 78}, kLaplace});
  problem.tables.push_back({{1, 2, 3}, {70, 66, 50, 33, 30, 49}, kNormal});
  problem.tables.push_back({{}, {301}, kLaplace});
  const MarkovFit result = fit(problem);
  ASSERT_EQ(result.model->cliques().size(), 4U);
  EXPECT_NEAR(result.total, 300, 10);
  expect_law(result);
  if (GetParam() == MarkovEstimator::uniform || GetParam() == MarkovEstimator::random) return;
  EXPECT_NEAR(result.marginals[3], 1.0 / 3, 0.06);
}

TEST_P(EveryEstimator, TakesContinuousNoiseAsItIs) {
  // b = 30 and its discrete cousin are one law to the eye; so are the fits.
  const std::vector<double> y{40, 61, -20, 100, 20, 80};
  const auto fitted = [&](const release::NoiseLaw& law) {
    return fit({{2, 3}, {{{0, 1}, y, law}, {{1}, {140, 82, 78}, law}}, KnownTotal{300}, {}});
  };
  const MarkovFit laplace = fitted(release::Laplace(30));
  const MarkovFit discrete = fitted(release::DiscreteLaplace(1.0 / 30));
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(laplace.marginals[i], discrete.marginals[i], 1e-3);
  const MarkovFit normal = fitted(release::Gaussian(900));
  const MarkovFit whole = fitted(release::DiscreteGaussian(900));
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(normal.marginals[i], whole.marginals[i], 1e-9);
}

TEST_P(EveryEstimator, KeepsImpossibleCellsEmpty) {
  MarkovProblem problem{{2, 2, 2}, {}, KnownTotal{100}, {}};
  problem.tables.push_back({{0, 1}, {30, 12, 35, 33}, kLaplace});
  problem.tables.push_back({{1, 2}, {40, 25, -4, 35}, kLaplace});
  problem.impossible.push_back({{1, 0}, {2}});
  problem.impossible.push_back({{0, 2}, {3}});
  const MarkovFit result = fit(problem);
  expect_law(result);
  EXPECT_EQ(result.marginals[1], 0);
  EXPECT_EQ(result.theta[1], kMinusInfinity);
  EXPECT_EQ(result.marginals[11], 0);
}

TEST_P(EveryEstimator, WithoutRecordsTablesOrVariablesIsUniform) {
  for (const MarkovProblem& problem :
       {MarkovProblem{{2, 2}, {{{0, 1}, {3, -4, 5, 1}, kLaplace}}, KnownTotal{0}, {}},
        MarkovProblem{{2, 2}, {{{0, 1}, {-3, -4, -5, 1}, kLaplace}}, LatentTotal{100, 0}, {}},
        MarkovProblem{{2, 2}, {}, KnownTotal{10}, {}}, MarkovProblem{{}, {}, KnownTotal{10}, {}}}) {
    const MarkovFit result = fit(problem);
    for (const double t : result.theta) EXPECT_EQ(t, 0);
    for (const double p : result.marginals) EXPECT_NEAR(p, 0.25, 1e-15);
  }
}

TEST_P(EveryEstimator, WildValuesLeaveALaw) {
  const MarkovFit result =
      fit({{2, 3},
           {{{0, 1}, {1e9, -1e9, 1e9, -1e12, 0, 3}, kLaplace}, {{1}, {-1e9, 1e9, 5}, kNormal}},
           KnownTotal{1000},
           {}});
  expect_law(result);
  for (const double p : result.marginals) EXPECT_TRUE(p >= 0 && p <= 1 + 1e-9);
}

TEST_P(EveryEstimator, RefusesWhatIsNoProblem) {
  const auto refusal = [&](const MarkovProblem& problem) {
    try {
      (void)fit(problem);
    } catch (const Error& error) {
      return std::string(error_name(error.code())) + ": " + error.what();
    }
    return std::string("fitted");
  };
  EXPECT_EQ(refusal({{2}, {{{0}, {1, 2, 3}, kLaplace}}, KnownTotal{5}, {}}),
            "bad-value: a noisy table does not have one value for each of its cells");
  EXPECT_EQ(refusal({{2}, {{{1}, {1, 2}, kLaplace}}, KnownTotal{5}, {}}),
            "bad-value: a noisy table names a variable that the network does not have");
  EXPECT_EQ(refusal({{2}, {{{0}, {1, std::nan("")}, kLaplace}}, KnownTotal{5}, {}}),
            "bad-value: a noisy table holds a value that is no number");
  EXPECT_EQ(refusal({{2, 2}, {{{0, 0}, {1, 2, 3, 4}, kLaplace}}, KnownTotal{5}, {}}),
            "bad-value: a clique names a variable twice");
  EXPECT_EQ(refusal({{2}, {{{0}, {1, 2}, kLaplace}}, KnownTotal{5}, {{{0}, {2}}}}),
            "bad-value: an impossible cell is beyond the end of its table");
  EXPECT_EQ(refusal({{2}, {{{0}, {1, 2}, kLaplace}}, KnownTotal{5}, {{{0}, {0, 1}}}}),
            "bad-value: the impossible cells leave no state that could be");
  MarkovProblem large{graph::Sizes(30, 100), {}, KnownTotal{5}, {}};
  for (std::uint32_t a = 0; a < 30; ++a) {
    for (std::uint32_t b = a + 1; b < 30; ++b)
      large.tables.push_back({{a, b}, std::vector<double>(10'000), kLaplace});
  }
  EXPECT_EQ(refusal(large).substr(0, 12), "engine-limit");
}

INSTANTIATE_TEST_SUITE_P(Markov, EveryEstimator, ::testing::ValuesIn(kMarkovEstimators), [](const auto& one) {
  std::string name(markov_estimator_name(one.param));
  std::erase(name, '-');
  return name;
});

TEST(MarkovEstimators, TheirNamesAreFound) {
  for (const MarkovEstimator estimator : kMarkovEstimators)
    EXPECT_EQ(find_markov_estimator(markov_estimator_name(estimator)), estimator);
  EXPECT_FALSE(find_markov_estimator("mle"));
}

TEST(MarkovEstimators, AnInterruptEndsThem) {
  std::stop_source source;
  source.request_stop();
  const testing::Chain5 chain;
  EXPECT_THROW((void)estimate_markov(chain.problem(), MarkovEstimator::na_map, {}, {source.get_token(), {}}),
               Error);
}

}  // namespace
}  // namespace postern::infer
