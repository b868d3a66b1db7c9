#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"

#include "number_augment_support.hpp"
#include "number_gibbs_support.hpp"
#include "oracles.hpp"
#include "pooled_support.hpp"

namespace postern::infer {
namespace {

const model::Values kBit = model::IntegerRange{0, 1, {}};

/// How the chain did in one study drawn from the prior, against the exact mixture of Betas. The noise is
/// continuous, as the prototype's was: on whole numbers swaps across the kink are refused more often.
struct Study {
  double accepted = 0;
  double rank = 0;
  double z = 0;  ///< difference of means, in exact deviations
  double sd_ratio = 0;
  double autocorrelation = 0;  ///< of theta, one step apart
};
Study study_of(double a, double b, std::int64_t n, double epsilon, std::uint32_t index) {
  constexpr std::size_t kWarmup = 300;
  constexpr std::size_t kSteps = 400;
  Rng rng(9, index, Purpose::test);
  NumberProblem problem = make_number({"binomial", {1}, {a, b}, kBit});
  problem.total = KnownTotal{n};
  const TrueNumber truth = draw_truth(problem, n, rng);
  const double noise = (rng.uniform() < 0.5 ? -1 : 1) * draw_exponential(rng) / epsilon;
  problem.sums = {{truth.totals.sum + noise, laplace(epsilon)}};
  const CountPosterior exact({{a, b}, {problem.sums, {}}, KnownTotal{n}}, std::size_t{1} << 30, 1);
  const RecordChain chain(problem);
  RecordChain::State state = chain.init(rng);
  double accepted = 0;
  double proposed = 0;
  std::vector<double> theta;
  for (std::size_t i = 0; i < kWarmup + kSteps; ++i) {
    const RecordChain::Info info = chain.step(state, rng);
    if (i < kWarmup) continue;
    accepted += static_cast<double>(info.accepted);
    proposed += static_cast<double>(info.proposed);
    theta.push_back(state.theta[0]);
  }
  const MeanAndSd found = mean_and_sd(theta);
  Study out{accepted / proposed, 0, (found.mean - exact.mean(0)) / exact.sd(0), found.sd / exact.sd(0), 0};
  std::vector<double> apart;
  for (std::size_t i = 0; i < kSteps; ++i) {
    if (i % 4 == 3) apart.push_back(theta[i]);
    if (i == 0) continue;
    out.autocorrelation +=
        (theta[i] - found.mean) * (theta[i - 1] - found.mean) / (found.sd * found.sd * (kSteps - 1));
  }
  out.rank = rank_of(truth.theta[0], apart, rng);
  return out;
}

class AugmentOracle : public testing::TestWithParam<std::size_t> {};

// Oracle da_mcmc_bernoulli_reference, some 600 studies there, 600 here with 400 steps each. Swaps are
// accepted as often as in the prototype; means, deviations and ranks are right; and the chain, which does
// more than swaps, is not slower. Means of both programs are compared at four standard errors of both.
TEST_P(AugmentOracle, DoesAsWellAsThePrototype) {
  constexpr std::size_t kStudies = 600;
  const nlohmann::json test = oracle("da_mcmc_bernoulli_reference").at(GetParam());
  std::vector<Study> studies(kStudies);
  parallel_for(kStudies, 0, [&](std::size_t i) {
    studies[i] = study_of(test.at("prior")[0], test.at("prior")[1], test.at("n"), test.at("eps"),
                          static_cast<std::uint32_t>(i));
  });
  const auto all = [&](const auto& part) {
    std::vector<double> out;
    for (const Study& study : studies) out.push_back(part(study));
    return out;
  };
  const double root = std::sqrt(double{kStudies});
  const auto expect_same = [&](const char* name, const std::vector<double>& values) {
    const MeanAndSd found = mean_and_sd(values);
    EXPECT_NEAR(found.mean, test.at(name).get<double>(), 4 * std::hypot(found.sd, found.sd) / root) << name;
  };
  expect_same("acc", all([](const Study& one) { return one.accepted; }));
  expect_same("z_mean", all([](const Study& one) { return one.z; }));
  expect_same("sd_ratio", all([](const Study& one) { return one.sd_ratio; }));
  const MeanAndSd z = mean_and_sd(all([](const Study& one) { return one.z; }));
  EXPECT_LT(std::abs(z.mean), 4.9 * z.sd / root);  // alpha = 1e-6
  const auto share = all([](const Study& one) { return one.accepted; });
  EXPECT_GE(*std::min_element(share.begin(), share.end()), test.at("floor").get<double>());
  const double ks = assess::ks_uniform(all([](const Study& one) { return one.rank; }));
  EXPECT_LT(ks, 2.70 / root);  // alpha = 1e-6
  EXPECT_NEAR(ks, test.at("ks").get<double>(), 4 * std::hypot(0.26, 0.26) / root);
  const double autocorrelation = mean_and_sd(all([](const Study& one) { return one.autocorrelation; })).mean;
  const double off = mean_and_sd(all([](const Study& one) { return std::abs(one.z); })).mean;
  EXPECT_LT(autocorrelation, test.at("acf1").get<double>() + 0.05);
  EXPECT_LT(off, 1.2 * test.at("z_abs").get<double>());
}

INSTANTIATE_TEST_SUITE_P(All, AugmentOracle, testing::Values(0, 1, 2));

// Poisson records clamped at 8, n = 50, Laplace noise of scale 16, y = 150, Gamma(2, 1): mean 2.8641316544,
// sd .5108161691 by convolution on a grid.
TEST(NumberOracle, IsTheLatticePosterior) {
  NumberProblem problem = make_number({"poisson", {}, {2, 1}, model::IntegerRange{0, 8, {}}});
  problem.total = KnownTotal{50};
  problem.sums = {{150, laplace(1.0 / 16)}};
  DriverOptions options;
  options.draws = 6000;
  const ChainRun run = draw_augmented_number({problem}, options, {});
  const auto chains = chains_of(run, 0, options.draws);
  const Estimate mean = estimate(chains, 8, [](double x) { return x; });
  EXPECT_NEAR(mean.mean, 2.8641316544, mean.reach);
  EXPECT_LT(mean.reach, 0.06);
  const Estimate square = estimate(chains, 64, [](double x) { return x * x; });
  EXPECT_NEAR(square.mean, 2.8641316544 * 2.8641316544 + 0.5108161691 * 0.5108161691, square.reach);
}

// n = 100, y = 42, epsilon .1, Beta(1, 1): the exact engine's mixture of Betas.
TEST(NumberOracle, IsTheExactEnginesBernoulli) {
  for (const bool latent : {false, true}) {
    NumberProblem problem = make_number({"binomial", {1}, {1, 1}, kBit});
    problem.sums = {{42, laplace(0.1)}};
    CountProblem table{{1, 1}, {{{42, laplace(0.1)}}, {}}, KnownTotal{100}};
    problem.total = KnownTotal{100};
    if (latent) {
      problem.mirrored_sums = {{61, laplace(0.1)}};
      problem.total = LatentTotal{300};
      table.noisy_values[1] = {{61, laplace(0.1)}};
      table.total = LatentTotal{300};
    }
    const CountPosterior exact(table, std::size_t{1} << 30, 1);
    DriverOptions options;
    options.draws = 2500;
    const ChainRun run = draw_augmented_number({problem}, options, {});
    for (const double p : {0.05, 0.5, 0.95}) {
      const double at = exact.quantile(0, p);
      const Estimate below =
          estimate(chains_of(run, 0, options.draws), 1, [&](double x) { return x <= at ? 1.0 : 0.0; });
      EXPECT_NEAR(below.mean, p, below.reach) << (latent ? "latent n" : "known n");
      EXPECT_LT(below.reach, 0.06);
    }
    if (!latent) continue;
    const Estimate n = estimate(chains_of(run, 1, options.draws), 300, [](double x) { return x; });
    EXPECT_NEAR(n.mean, exact.total().mean, n.reach);
  }
}

/// Mean of a quantity, over all chains.
Estimate mean_of(const NumberProblem& problem, std::size_t quantity, double range) {
  DriverOptions options;
  options.draws = 2000;
  const ChainRun run = draw_augmented_number({problem}, options, {});
  return estimate(chains_of(run, quantity, options.draws), range, [](double x) { return x; });
}

// Hardly any noise: the conjugate posterior given the sum, here Gamma(2 + s, 1 + n).
TEST(NumberOracle, WithoutNoiseItIsTheConjugatePosterior) {
  NumberProblem problem = make_number({"poisson", {}, {2, 1}, model::IntegerRange{0, 100, {}}});
  problem.total = KnownTotal{40};
  problem.sums = {{120, laplace(50)}};
  const Estimate mean = mean_of(problem, 0, 3);
  EXPECT_NEAR(mean.mean, 122.0 / 41, mean.reach);
  EXPECT_LT(mean.reach, 0.1);
}

// Hardly any noise and few levels on no even lattice: no swap of one record leads from one dataset of about
// the right sum to another, and chains without moves of several at once keep one draw of 64 and more.
TEST(NumberOracle, PassesBetweenDatasetsOfNearlyTheSameSum) {
  NumberProblem problem = make_number({"pareto", {1}, {2.8, 2.1}, model::RealRange{1, 7, Rational(1), {}}});
  problem.total = KnownTotal{30};
  const auto range = static_cast<double>(problem.number.values.adds.back());
  problem.sums = {{15911342, laplace(50 / range)}};
  const NumberPosterior exact(problem, 1);
  DriverOptions options;
  options.draws = 3000;
  const ChainRun run = draw_augmented_number({problem}, options, {});
  EXPECT_LT(run.thinning, 32U);
  for (const double p : {0.05, 0.5, 0.95}) {
    const double at = exact.quantile(p);
    const Estimate below =
        estimate(chains_of(run, 0, options.draws), 1, [&](double x) { return x <= at ? 1.0 : 0.0; });
    EXPECT_NEAR(below.mean, p, below.reach);
    EXPECT_LT(below.reach, 0.06);
  }
}

// Nothing but noise: the prior.
TEST(NumberOracle, WithoutASignalItIsThePrior) {
  NumberProblem problem =
      make_number({"exponential", {}, {8, 2}, model::RealRange{0, 3, Rational(1, 20), {}}});
  problem.total = KnownTotal{200};
  problem.sums = {{-3e7, laplace(1e-9)}};
  const Estimate mean = mean_of(problem, 0, 12);
  EXPECT_NEAR(mean.mean, 4, mean.reach);
  EXPECT_LT(mean.reach, 0.5);
}

}  // namespace
}  // namespace postern::infer
