#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "number_augment_support.hpp"
#include "pooled_support.hpp"

// Priors of shape 1e-3 put most of theta below 1e-100, or nearer to 1 than doubles can tell. The chains must
// keep that mass: each share of draws at 1e-6.

namespace postern::infer {
namespace {

constexpr double kTiny = 1e-3;
const model::Values kTimes = model::RealRange{0, 10, Rational(1), {}};
const model::Values kCounts = model::IntegerRange{0, 5, {}};

NumberProblem seen(const AugmentShape& shape, double y, double lambda, std::int64_t n) {
  NumberProblem problem = make_number(shape);
  problem.sums = {{y, laplace(lambda)}};
  problem.total = KnownTotal{n};
  return problem;
}

NumberProblem seen_privately(const AugmentShape& shape, double y, double lambda, double count) {
  NumberProblem problem = seen(shape, y, lambda, 0);
  problem.counts = {{count, laplace(0.5)}};
  problem.total = LatentTotal{25};
  return problem;
}

DriverOptions many_draws() {
  DriverOptions options;
  options.draws = 3000;
  return options;
}

void expect_share(const ChainRun& run, const DriverOptions& options, double at, double truth) {
  const Estimate share =
      estimate(chains_of(run, 0, options.draws), 1, [at](double theta) { return theta <= at ? 1.0 : 0.0; });
  EXPECT_NEAR(share.mean, truth, share.reach) << "at " << at;
  EXPECT_LT(share.reach, 0.2) << "at " << at;
}

void expect_exact(const std::vector<NumberProblem>& sets, const std::vector<double>& places) {
  const DriverOptions options = many_draws();
  const ChainRun run = draw_augmented_number(sets, options, {});
  const NumberPosterior exact(sets, 1);
  for (const double at : places) expect_share(run, options, at, exact.cdf(at));
}

const std::vector<double> kFromZero{1e-250, 1e-150, 1e-50, 1e-10, 1e-2, 0.3};

TEST(NumberAugmentVague, RatesNearZeroKeepTheirMass) {
  // The last level is the only likely one; or all are.
  expect_exact({seen({"exponential", {}, {kTiny, kTiny}, kTimes}, 48, 0.3, 5)}, kFromZero);
  expect_exact({seen({"gamma", {2}, {kTiny, kTiny}, kTimes}, 20, 0.02, 5)}, kFromZero);
  expect_exact({seen({"exponential", {}, {kTiny, kTiny}, kTimes, model::MapTo{0}}, 3, 0.3, 5)}, kFromZero);
  expect_exact({seen({"poisson", {}, {kTiny, kTiny}, kCounts}, 1, 0.3, 10)}, kFromZero);
  expect_exact({seen({"geometric", {}, {kTiny, 1}, kCounts}, 23, 0.3, 5)}, kFromZero);
}

TEST(NumberAugmentVague, SoDoTheyWhereNIsPrivateAndInSeveralSets) {
  const AugmentShape shape{"exponential", {}, {kTiny, kTiny}, kTimes};
  expect_exact({seen_privately(shape, 48, 0.1, 6)}, kFromZero);
  expect_exact({seen(shape, 48, 0.1, 5), seen(shape, 17, 0.1, 2)}, kFromZero);
}

/// P(theta <= at) for two records of a law on 0, 1 with odds e^odds(x) of 1, x the line of theta, whose
/// log density is given, by sums over the line.
template <class LogPrior, class Odds>
double listed(double at, double from, double to, const NumberProblem& problem, const LogPrior& log_prior,
              const Odds& odds) {
  constexpr int kSteps = 400'000;
  double below = 0;
  double all = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double x = from + (to - from) * (i + 0.5) / kSteps;
    const double p = 1 / (1 + std::exp(-odds(x)));
    double weight = 0;
    const double pmf[3] = {(1 - p) * (1 - p), 2 * p * (1 - p), p * p};
    for (int s = 0; s <= 2; ++s)
      weight += pmf[s] * std::exp(release::log_pmf(problem.sums[0].law, problem.sums[0].y - s));
    weight *= std::exp(log_prior(x));
    all += weight;
    if (x <= at) below += weight;
  }
  return below / all;
}

double log_one_less(double x) { return x > 0 ? -x - std::log1p(std::exp(-x)) : -std::log1p(std::exp(x)); }

void expect_near_one(const AugmentShape& shape, double (*odds)(double), std::size_t draws) {
  const NumberProblem problem = seen(shape, 1.5, 2, 2);
  const auto log_prior = [](double x) { return log_one_less(-x) + kTiny * log_one_less(x); };
  DriverOptions options;
  options.draws = draws;
  const ChainRun run = draw_augmented_number({problem}, options, {});
  for (const double theta : {0.3, 0.9, 1 - 1e-6}) {
    const double at = std::log(theta / (1 - theta));
    expect_share(run, options, theta, listed(at, -60, 20000, problem, log_prior, odds));
  }
}

TEST(NumberAugmentVague, ProbabilitiesNearOneKeepTheirMass) {
  const model::Values bit = model::IntegerRange{0, 1, {}};
  expect_near_one(
      {"binomial", {1}, {1, kTiny}, bit}, [](double x) { return x; }, 3000);
  expect_near_one(
      {"geometric", {}, {1, kTiny}, bit}, [](double x) { return -x; }, 3000);
  // Given that it is kept, a record is 1 with odds 1 - theta.
  expect_near_one({"geometric", {}, {1, kTiny}, bit, model::Drop{}}, log_one_less, 1000);
}

// A rate near 0 leaves kept records a flat law: here of two levels of one width.
TEST(NumberAugmentVague, DroppedRecordsLeaveRatesNearZeroTheirMass) {
  const NumberProblem problem = seen(
      {"exponential", {}, {kTiny, kTiny}, model::RealRange{0, 1, Rational(1), {}}, model::Drop{}}, 1, 2, 2);
  // Records below 1/2 and above, of [0, 1): odds e^{-theta / 2}.
  const auto odds = [](double x) { return -0.5 * std::exp(std::min(x, 600.0)); };
  const auto log_prior = [](double x) { return kTiny * x - kTiny * std::exp(std::min(x, 600.0)); };
  const DriverOptions options = many_draws();
  const ChainRun run = draw_augmented_number({problem}, options, {});
  for (const double theta : {1e-250, 1e-100, 1e-10, 1.0})
    expect_share(run, options, theta, listed(std::log(theta), -20000, 20, problem, log_prior, odds));
}

}  // namespace
}  // namespace postern::infer
