#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/exact/count_posterior.hpp"

#include "number_augment_support.hpp"
#include "pooled_support.hpp"

namespace postern::infer {
namespace {

const model::Values kBit = model::IntegerRange{0, 1, {}};

/// Share of swaps accepted, over studies drawn from the prior: 400 of them, 200 steps each after warm-up. The
/// noise is continuous, as the prototype's was: on whole numbers swaps across the kink are refused more
/// often.
double acceptance(double a, double b, std::int64_t n, double epsilon) {
  double accepted = 0;
  double proposed = 0;
  for (std::uint32_t study = 0; study < 400; ++study) {
    Rng rng(9, study, Purpose::test);
    NumberProblem problem = make_number({"binomial", {1}, {a, b}, kBit});
    problem.total = KnownTotal{n};
    const double noise = (rng.uniform() < 0.5 ? -1 : 1) * draw_exponential(rng) / epsilon;
    problem.sums = {{draw_truth(problem, n, rng).totals.sum + noise, laplace(epsilon)}};
    const RecordChain chain(problem);
    RecordChain::State state = chain.init(rng);
    for (int i = 0; i < 250; ++i) {
      const RecordChain::Info info = chain.step(state, rng);
      if (i < 50) continue;
      accepted += static_cast<double>(info.accepted);
      proposed += static_cast<double>(info.proposed);
    }
  }
  return accepted / proposed;
}

// Oracle da_mcmc_bernoulli_reference: .99575, .96591 and .86305 over a prototype's own studies.
TEST(NumberOracle, AcceptsAsOftenAsThePrototype) {
  EXPECT_NEAR(acceptance(1, 20, 30, 0.1), 0.9957, 0.002);
  EXPECT_NEAR(acceptance(1, 20, 30, 1), 0.966, 0.008);
  EXPECT_NEAR(acceptance(1, 1, 100, 1), 0.863, 0.015);
}

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
      table.sights[1] = {{61, laplace(0.1)}};
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
