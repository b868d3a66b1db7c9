// Columns that drop what is outside: n counts the kept records, alone and in several sets of which some
// clamp.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/exact/number_posterior.hpp"

#include "number_augment_support.hpp"
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

struct Setting {
  AugmentShape shape;
  std::vector<std::int64_t> most;  ///< records of each set, n private
  NumberNoise noise;
};

std::vector<double> simulate_and_rank(const Setting& setting, std::size_t index) {
  Rng rng(20261116, static_cast<std::uint32_t>(index), Purpose::calibration);
  std::vector<NumberProblem> sets;
  NumberProblem problem = make_number(setting.shape);
  const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
  std::vector<double> truth(theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(problem.parameters));
  for (const std::int64_t most : setting.most) {
    problem.total = LatentTotal{most};
    const auto n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(most) + 1, rng));
    see(problem, setting.noise, draw_totals(problem, theta, n, rng), rng);
    sets.push_back(problem);
    truth.push_back(static_cast<double>(n));
  }
  DriverOptions options;
  options.chains = 1;
  options.draws = 99;
  options.seed = rng();
  options.threads = 1;
  const ChainRun run = draw_augmented_number(sets, options, {});
  std::vector<double> out;
  for (std::size_t q = 0; q < truth.size(); ++q)
    out.push_back(rank_of(truth[q], std::span(run.draws[0]).subspan(q * 99, 99), rng));
  return out;
}

/// KS distance of each quantity's ranks from uniform: above 2.70/sqrt(M) with probability 1e-6.
void expect_calibrated(const Setting& setting, std::size_t studies) {
  std::vector<std::vector<double>> ranks(studies);
  parallel_for(studies, 0, [&](std::size_t i) { ranks[i] = simulate_and_rank(setting, i); });
  for (std::size_t q = 0; q < ranks[0].size(); ++q) {
    std::vector<double> one;
    for (const auto& r : ranks) one.push_back(r[q]);
    const double distance = assess::ks_uniform(one);
    EXPECT_LT(distance, 2.70 / std::sqrt(static_cast<double>(studies))) << "quantity " << q;
    ::testing::Test::RecordProperty("ks_" + std::to_string(q), std::to_string(distance));
  }
}

const model::Values kShort = model::RealRange{0, 2, Rational(1, 10), {}};
const model::Values kSigned = model::RealRange{-1, 1, Rational(1, 10), {}};

TEST(NumberDroppedCalibration, Exponential) {
  expect_calibrated({{"exponential", {}, {4, 3}, kShort, model::Drop{}},
                     {25},
                     {{laplace(0.9 / 20)}, {}, {}, {laplace(0.3)}}},
                    1000);
}
TEST(NumberDroppedCalibration, Normal) {
  expect_calibrated({{"normal", {}, {0, 2, 4, 3}, kSigned, model::Drop{}},
                     {12},
                     {{laplace(1 / 10.)}, {laplace(1 / 100.)}, {}, {laplace(0.3)}}},
                    1000);
}
TEST(NumberDroppedCalibration, TwoSets) {
  expect_calibrated({{"exponential", {}, {4, 3}, kShort, model::Drop{}},
                     {10, 15},
                     {{laplace(0.9 / 20)}, {}, {}, {laplace(0.3)}}},
                    1000);
}

}  // namespace
}  // namespace postern::infer
