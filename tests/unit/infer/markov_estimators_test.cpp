// The estimators that the noise-aware one is compared with, against an independent prototype.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/infer/markov/consistent.hpp"
#include "postern/infer/markov/estimate.hpp"

#include "markov/box.hpp"
#include "markov/consistency.hpp"
#include "markov/em.hpp"
#include "markov/naive.hpp"
#include "markov/projection.hpp"
#include "markov/ridge.hpp"
#include "markov_oracles.hpp"

namespace postern::infer {
namespace {

using testing::flat;
using testing::number;

/// y of the small oracles: two tables of three binary variables in a chain, n = 50.
MarkovProblem small_chain(const release::NoiseLaw& law) {
  return testing::markov_problem({2, 2, 2}, {{0, 1}, {1, 2}}, {21, 9, -2, 25, 14, 8, 19, 6}, law, 50);
}

TEST(MarkovEstimators, SimplexProjection) {
  const auto oracles = testing::markov_oracles();
  for (const auto& one : oracles.at("simplex_projection")) {
    std::vector<double> v = flat(one.at("v"));
    markov::project_to_simplex(v, number(one.at("z")));
    const std::vector<double> wanted = flat(one.at("w"));
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], wanted[i], 1e-15);
  }
}

TEST(MarkovEstimators, MaximumLikelihoodWithARidge) {
  const auto json = testing::markov_oracles().at("ridge_ml");
  const markov::Measurements data(small_chain(release::DiscreteLaplace(1)), {});
  std::vector<double> margins = flat(json.at("y"));
  for (double& y : margins) y /= 50;
  markov::Law law(data, {});
  const MarkovFit fit = markov::fit_margins(data, law, margins, number(json.at("lam")), 1e-18, 100);
  EXPECT_NEAR(fit.objective, number(json.at("value")), 1e-12);
  EXPECT_NEAR(fit.log_partition, number(json.at("logZ")), 1e-8);
  const std::vector<double> theta = flat(json.at("theta"));
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(fit.theta[i], theta[i], 1e-8);
  const std::vector<double> mu = flat(json.at("mu"));
  for (std::size_t i = 0; i < mu.size(); ++i) EXPECT_NEAR(fit.marginals[i], mu[i], 1e-8);
}

TEST(MarkovEstimators, StepOfEmWithNormalNoise) {
  const auto json = testing::markov_oracles().at("estep_gaussian");
  const markov::Measurements data(small_chain(release::DiscreteGaussian(50)), {});
  markov::Law law(data, {});
  // By either solver.
  const markov::CellAverages average = markov::cell_averages(data);
  const auto newton =
      markov::solve_ridge(data, {data.zeros, average.y, average.variance, 50}, law, 1e-20, 100);
  const std::vector<double> newton_margins = law.marginals();
  const auto box = markov::solve_box(data, {data.zeros, 1}, law, 1e-20, 1000);
  const std::vector<double> n = flat(json.at("n"));
  const std::vector<double> lambda = flat(json.at("lam"));
  for (std::size_t i = 0; i < n.size(); ++i) {
    EXPECT_NEAR(50 * newton_margins[i], n[i], 1e-8);
    EXPECT_NEAR(newton.lambda[i], lambda[i], 1e-8);
    EXPECT_NEAR(50 * law.marginals()[i], n[i], 1e-8);
    EXPECT_NEAR(box.lambda[i], lambda[i], 1e-8);
  }
  EXPECT_NEAR(newton.value, number(json.at("dual")), 1e-12);
  EXPECT_NEAR(box.value, number(json.at("dual")), 1e-12);
}

TEST(MarkovEstimators, StepOfEmWithLaplaceNoise) {
  const auto json = testing::markov_oracles().at("estep_laplace");
  const markov::Measurements data(small_chain(release::DiscreteLaplace(0.2)), {});
  markov::Law law(data, {});
  const auto solution = markov::solve_box(data, {data.zeros, 1}, law, 1e-13, 1000);
  EXPECT_TRUE(solution.certified);
  EXPECT_NEAR(solution.value, number(json.at("value")), 1e-8);
  const std::vector<double> n = flat(json.at("n"));
  for (std::size_t i = 0; i < n.size(); ++i) EXPECT_NEAR(50 * law.marginals()[i], n[i], 1e-8);
}

TEST(MarkovEstimators, StepOfEmForOneVariable) {
  const auto oracles = testing::markov_oracles();
  for (const auto& one : oracles.at("estep_one_binary_variable")) {
    const auto n = one.at("N").get<std::int64_t>();
    const markov::Measurements data(
        testing::markov_problem({2}, {{0}}, flat(one.at("y")),
                                release::DiscreteLaplace(1 / number(one.at("b"))), n),
        {});
    markov::Law law(data, {});
    const auto solution = markov::solve_box(data, {data.zeros, 1}, law, 1e-12, 1000);
    EXPECT_NEAR(static_cast<double>(n) * law.marginals()[0], number(one.at("n_star").at(0)), 1e-8);
    EXPECT_NEAR(solution.value, number(one.at("value")), 1e-8);
  }
}

TEST(MarkovEstimators, ConsistentTables) {
  const auto json = testing::markov_oracles().at("anova_projection");
  const ConsistentTables got = consistent_tables(testing::markov_problem(
      {2, 2, 2}, {{0, 1}, {1, 2}}, flat(json.at("y")), release::DiscreteLaplace(1), 10));
  const std::vector<double> wanted = flat(json.at("projected"));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(got.tables[i / 4][i % 4], wanted[i], 1e-14);
}

TEST(MarkovEstimators, ConsistencyIsAnOrthogonalProjection) {
  const graph::LogLinear model({2, 3, 2, 4}, {{0, 1}, {2, 1, 3}, {0, 3}, {1}, {3, 1}});
  const markov::Consistency consistency(model, {1, 2, 0.5, 3, 1});
  const std::vector<double> variances{1, 2, 0.5, 3, 1};
  graph::LogLinear::Workspace work = model.workspace();
  std::vector<double> y(model.dimension());
  std::vector<double> theta(model.dimension());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = std::sin(1.0 + 7 * static_cast<double>(i));
    theta[i] = std::cos(3 * static_cast<double>(i));
  }
  (void)model.evaluate(theta, work);
  const std::vector<double> other = work.marginals;
  (void)model.evaluate(std::vector<double>(theta.size()), work);
  std::vector<double> once(y);
  consistency.project(once, 5);
  std::vector<double> twice(once);
  consistency.project(twice, 5);
  double along = 0;  // of the residual with a difference of margins, weighed by precision
  for (std::size_t f = 0; f < variances.size(); ++f) {
    for (std::size_t i = model.offset(f); i < model.offset(f + 1); ++i) {
      EXPECT_NEAR(once[i], twice[i], 1e-13);
      along += (y[i] - once[i]) * (other[i] - work.marginals[i]) / variances[f];
    }
  }
  EXPECT_NEAR(along, 0, 1e-13);
  std::vector<double> kept(other);
  consistency.project(kept, {});
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_NEAR(kept[i], other[i], 1e-13);
}

TEST(MarkovEstimators, NaiveOnAChain) {
  const testing::Chain5 chain;
  const auto kl = [&](double ridge) {
    const MarkovFit fit = estimate_markov(chain.problem(), MarkovEstimator::naive, {.ridge = ridge}, {});
    EXPECT_EQ(fit.stop, MarkovStop::certified);
    return chain.kl(*fit.model, fit.theta);
  };
  EXPECT_NEAR(kl(1e-3), chain.wanted("naive_lam_0.001"), 1e-5);
  EXPECT_NEAR(kl(3e-3), chain.wanted("naive_lam_0.003"), 1e-5);
  EXPECT_NEAR(kl(1e-2), chain.wanted("naive_lam_0.01"), 1e-5);
}

TEST(MarkovEstimators, ManyStepsAtOnceOnAChain) {
  // Thirty EM steps with normal noise as one ridge: where the noise-aware mode begins.
  const testing::Chain5 chain;
  const markov::Measurements data(chain.problem(), {});
  markov::Law law(data, {});
  std::vector<double> margins = flat(chain.json.at("y"));
  for (double& y : margins) y /= 10'000;
  const double ridge = chain.b * chain.b / 30 / 10'000;
  const MarkovFit fit = markov::fit_margins(data, law, margins, ridge, 1e-12, 200);
  EXPECT_NEAR(chain.kl(*fit.model, fit.theta),
              chain.wanted("ridge_dual_K30 (min A - t.y/N + (b^2/30/N)|t|^2)"), 1e-5);
}

TEST(MarkovEstimators, MirrorDescentOnAChain) {
  const testing::Chain5 chain;
  const MarkovProblem problem = chain.problem(release::DiscreteGaussian(2 * chain.b * chain.b));
  const auto kl = [&](int iterations) {
    const MarkovFit fit = estimate_markov(problem, MarkovEstimator::pgm, {.iterations = iterations}, {});
    EXPECT_GT(*fit.certificate, 0);
    return chain.kl(*fit.model, fit.theta);
  };
  EXPECT_NEAR(kl(30), chain.wanted("pgm_md_L2_30"), 1e-5);
  EXPECT_NEAR(kl(100), chain.wanted("pgm_md_L2_100"), 1e-5);
  EXPECT_NEAR(kl(300), chain.wanted("pgm_md_L2_300"), 1e-5);
}

TEST(MarkovEstimators, OneLargeStepOnAChain) {
  const testing::Chain5 chain;
  const markov::Measurements data(chain.problem(), {});
  for (const auto& [radius, name] : {std::pair{0.25, "box_R0.25"}, {0.5, "box_R0.5"}, {1.0, "box_R1"}}) {
    markov::Law law(data, {});
    const auto solution = markov::solve_box(data, {data.zeros, radius * chain.b}, law, 1e-4, 2000);
    EXPECT_TRUE(solution.certified);
    EXPECT_NEAR(chain.kl(*data.model, law.theta()), chain.wanted(name), 1e-5);
    EXPECT_NEAR(solution.value, chain.wanted((std::string(name) + "_dual_value").c_str()), 1e-3);
  }
}

TEST(MarkovEstimators, EmOnAChain) {
  const testing::Chain5 chain;
  const markov::Measurements data(chain.problem(), {});
  for (const int steps : {1, 10, 30, 48, 60}) {
    const MarkovFit fit = markov::em(
        data, {.step = 1, .radius = {}, .discrepancy = false, .iterations = steps, .tolerance = 0.1}, {});
    const std::string name = "em_K" + std::to_string(steps);
    EXPECT_NEAR(chain.kl(*fit.model, fit.theta), chain.wanted(name.c_str()), 1e-3);
    EXPECT_NEAR(fit.objective, chain.wanted((name + "_l1res/(d b)").c_str()), 1e-3);
    for (const double t : fit.theta) EXPECT_LE(std::abs(t), steps / chain.b * (1 + 1e-12));
  }
}

TEST(MarkovEstimators, EmStopsByTheDiscrepancyOrAtItsRadius) {
  const testing::Chain5 chain;
  const MarkovFit fit = estimate_markov(chain.problem(), MarkovEstimator::em, {}, {});
  EXPECT_EQ(fit.stop, MarkovStop::discrepancy);
  EXPECT_LE(fit.objective, 1);
  EXPECT_LT(chain.kl(*fit.model, fit.theta), 0.55);
  const MarkovFit at = estimate_markov(chain.problem(), MarkovEstimator::em, {.radius = 1}, {});
  EXPECT_EQ(at.stop, MarkovStop::radius);
  EXPECT_NEAR(chain.kl(*at.model, at.theta), chain.wanted("em_K48"), 3e-3);
  for (const double t : at.theta) EXPECT_LE(std::abs(t), 1 + 1e-9);
}

TEST(MarkovEstimators, BeliefPropagationAsAnEStepNeedsManyRounds) {
  const testing::Chain5 chain;
  const MarkovFit fit = estimate_markov(chain.problem(), MarkovEstimator::nlbp, {.iterations = 10}, {});
  EXPECT_NEAR(chain.kl(*fit.model, fit.theta), chain.wanted("em_K10"), 1e-3);
  EXPECT_FALSE(fit.certificate);
}

TEST(MarkovEstimators, ProjectionsAreCertified) {
  const testing::Chain5 chain;
  const MarkovProblem normal = chain.problem(release::DiscreteGaussian(2 * chain.b * chain.b));
  const MarkovFit l2 = estimate_markov(normal, MarkovEstimator::l2, {}, {});
  EXPECT_EQ(l2.stop, MarkovStop::certified);
  const MarkovFit descent = estimate_markov(normal, MarkovEstimator::pgm, {.iterations = 300}, {});
  EXPECT_LT(l2.objective, descent.objective);
  EXPECT_GE(l2.objective, descent.objective - *descent.certificate);
  const MarkovFit l1 = estimate_markov(chain.problem(), MarkovEstimator::l1, {}, {});
  EXPECT_EQ(l1.stop, MarkovStop::certified);
  const MarkovFit em = estimate_markov(chain.problem(), MarkovEstimator::em, {.radius = 3}, {});
  EXPECT_LT(l1.objective, em.objective * 600);
}

TEST(MarkovEstimators, WithHardlyAnyNoiseAllMeetMaximumLikelihood) {
  // Counts of a population themselves, noise of scale 1/20: what every estimator makes of them is the law of
  // their margins. The mode takes sampling errors of overlapping tables as independent, which costs a fifth.
  const testing::Chain5 chain;
  const MarkovProblem problem = testing::markov_problem(chain.sizes, chain.cliques, flat(chain.json.at("n")),
                                                        release::DiscreteLaplace(20), 10'000);
  const MarkovFit wanted = estimate_markov(problem, MarkovEstimator::naive, {.ridge = 5e-6}, {});
  EXPECT_NEAR(chain.kl(*wanted.model, wanted.theta), chain.wanted("nonprivate_ridge_0.05/N"), 1e-5);
  const MarkovFit em = estimate_markov(problem, MarkovEstimator::em, {.radius = 20}, {});
  for (std::size_t i = 0; i < em.marginals.size(); ++i)
    EXPECT_NEAR(em.marginals[i], wanted.marginals[i], 1e-4);
  const MarkovFit mode = estimate_markov(problem, MarkovEstimator::na_map, {}, {});
  EXPECT_LT(chain.kl(*mode.model, mode.theta), 1.25 * chain.wanted("nonprivate_ridge_0.05/N"));
}

TEST(MarkovEstimators, Floors) {
  const testing::Chain5 chain;
  const MarkovFit uniform = estimate_markov(chain.problem(), MarkovEstimator::uniform, {}, {});
  EXPECT_NEAR(chain.kl(*uniform.model, uniform.theta), chain.wanted("kl_uniform"), 1e-7);
  const MarkovFit random = estimate_markov(chain.problem(), MarkovEstimator::random, {}, {});
  EXPECT_GT(chain.kl(*random.model, random.theta), chain.wanted("kl_uniform"));
}

}  // namespace
}  // namespace postern::infer
