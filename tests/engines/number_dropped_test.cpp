// Columns that drop what is outside: n counts the kept records, alone and in several sets of which some
// clamp.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "number_chain_calibration.hpp"
#include "pooled_support.hpp"

namespace postern::infer {
namespace {

/// The chains' probabilities against the exact ones, each at 1e-6.
void expect_exact(const std::vector<NumberProblem>& sets, std::size_t draws) {
  const NumberPosterior exact(sets, 2);
  DriverOptions options;
  options.draws = draws;
  options.seed = 20261116;
  const ChainRun run = draw_augmented_number(sets, options, {});
  const auto chains = chains_of(run, 0, options.draws);
  for (const double q : {0.05, 0.3, 0.5, 0.7, 0.95}) {
    const double at = exact.quantile(q);
    const Estimate below = estimate(chains, 1, [at](double x) { return x <= at ? 1.0 : 0.0; });
    EXPECT_NEAR(below.mean, q, below.reach);
    EXPECT_LT(below.reach, 0.06);
  }
  std::size_t latent = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    if (std::holds_alternative<KnownTotal>(sets[set].total)) continue;
    const auto totals = chains_of(run, ++latent, options.draws);
    for (const double q : {0.1, 0.5, 0.9}) {
      const double at = exact.total_quantile(q, set);
      const Estimate below = estimate(totals, 1, [at](double x) { return x <= at ? 1.0 : 0.0; });
      const Estimate under = estimate(totals, 1, [at](double x) { return x < at ? 1.0 : 0.0; });
      EXPECT_GT(below.mean + below.reach, q) << "n of set " << set;
      EXPECT_LT(under.mean - under.reach, q) << "n of set " << set;
    }
  }
}

NumberProblem waiting_times(model::Policy outside, double y, double scale, std::int64_t n) {
  NumberProblem problem = make_number(
      {"exponential", {}, {3, 2}, model::RealRange{0, 2, Rational(1, 10), {}}, std::move(outside)});
  problem.sums = {{y, laplace(1 / scale)}};
  problem.total = KnownTotal{n};
  return problem;
}

NumberProblem private_times(model::Policy outside, double y, double scale, double n) {
  NumberProblem problem = waiting_times(std::move(outside), y, scale, 0);
  problem.total = LatentTotal{120};
  problem.counts = {{n, laplace(0.2)}};
  return problem;
}

TEST(NumberDropped, AgreesWithExact) { expect_exact({waiting_times(model::Drop{}, 170, 20, 40)}, 4000); }
TEST(NumberDropped, AgreesWithExactWhereNoiseIsWide) {
  expect_exact({waiting_times(model::Drop{}, 500, 400, 60)}, 4000);
}
TEST(NumberDropped, AgreesWithExactWhereNIsPrivate) {
  expect_exact({private_times(model::Drop{}, 300, 30, 50)}, 4000);
}
TEST(NumberDropped, AgreesWithExactInSetsThatDropAndClamp) {
  expect_exact({waiting_times(model::Drop{}, 150, 20, 30), waiting_times(model::Clamp{}, 200, 60, 40),
                waiting_times(model::Drop{}, 80, 90, 15)},
               4000);
}
TEST(NumberDropped, AgreesWithExactInSetsOfPrivateN) {
  expect_exact({private_times(model::Drop{}, 200, 30, 30), private_times(model::Clamp{}, 150, 30, 25)}, 4000);
}
/// The mean is likely far below the range: hardly a record of the law is kept.
TEST(NumberDropped, AgreesWithExactWhereLittleIsKept) {
  NumberProblem problem =
      make_number({"normal-mean", {1}, {-6, 1}, model::RealRange{0, 2, Rational(1, 10), {}}, model::Drop{}});
  problem.sums = {{50, laplace(1 / 30.0)}};
  problem.total = KnownTotal{20};
  expect_exact({problem}, 3000);
}
TEST(NumberDropped, AgreesWithExactForCountsOfWhichFewAreKept) {
  NumberProblem problem =
      make_number({"poisson", {}, {40, 8}, model::IntegerRange{12, 18, {}}, model::Drop{}});
  problem.sums = {{26, laplace(1 / 6.0)}};
  problem.total = KnownTotal{20};
  expect_exact({problem}, 3000);
}

void expect_calibrated(const ChainSetting& setting) {
  expect_chain_calibrated(setting, [](const std::vector<NumberProblem>& sets, const DriverOptions& options) {
    return draw_augmented_number(sets, options, {});
  });
}

const model::Values kShort = model::RealRange{0, 2, Rational(1, 10), {}};
const model::Values kSigned = model::RealRange{-1, 1, Rational(1, 10), {}};

TEST(NumberDroppedCalibration, Exponential) {
  expect_calibrated({{"exponential", {}, {4, 3}, kShort, model::Drop{}},
                     {25},
                     true,
                     {{laplace(0.9 / 20)}, {}, {}, {laplace(0.3)}}});
}
TEST(NumberDroppedCalibration, Normal) {
  expect_calibrated({{"normal", {}, {0, 2, 4, 3}, kSigned, model::Drop{}},
                     {12},
                     true,
                     {{laplace(1 / 10.)}, {laplace(1 / 100.)}, {}, {laplace(0.3)}}});
}
TEST(NumberDroppedCalibration, TwoSets) {
  expect_calibrated({{"exponential", {}, {4, 3}, kShort, model::Drop{}},
                     {10, 15},
                     true,
                     {{laplace(0.9 / 20)}, {}, {}, {laplace(0.3)}}});
}

}  // namespace
}  // namespace postern::infer
