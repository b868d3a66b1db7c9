// gibbs for one theta behind several record sets, and for columns that drop what is outside.

#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"
#include "postern/infer/kinds/number/gibbs/bounded.hpp"
#include "postern/infer/kinds/number/gibbs/unbounded.hpp"

#include "number_chain_calibration.hpp"

namespace postern::infer {
namespace {

struct MeanAndSd {
  double mean = 0;
  double sd = 0;
};
MeanAndSd summary(const ChainRun& run, std::size_t quantity, std::size_t draws) {
  double count = 0;
  double sum = 0;
  double squares = 0;
  for (const auto& chain : run.draws) {
    for (const double x : std::span(chain).subspan(quantity * draws, draws)) {
      ++count;
      sum += x;
      squares += x * x;
    }
  }
  return {sum / count, std::sqrt(squares / count - sum / count * (sum / count))};
}

ChainRun run_gibbs(const std::vector<NumberProblem>& sets, const DriverOptions& options) {
  const bool bounded =
      sets.front().law->space(0) == model::ParameterSpace::unit && !sets.front().law->possible({1, 1e9, 0});
  return bounded ? draw_bounded_number(sets, options, {}) : draw_joint_number(sets, options, {});
}

/// Mean and sd within this share of the exact sd: the normal approximation, and four thousand draws a chain.
void expect_exact(const std::vector<NumberProblem>& sets, double tolerance) {
  const NumberPosterior exact(sets, 2);
  DriverOptions options;
  options.draws = 10'000;
  options.seed = 20261116;
  const ChainRun run = run_gibbs(sets, options);
  const MeanAndSd theta = summary(run, 0, options.draws);
  EXPECT_NEAR((theta.mean - exact.mean()) / exact.sd(), 0, tolerance);
  EXPECT_NEAR(theta.sd / exact.sd(), 1, tolerance);
  std::size_t latent = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    if (std::holds_alternative<KnownTotal>(sets[set].total)) continue;
    const MeanAndSd n = summary(run, ++latent, options.draws);
    const auto [mean, sd] = exact.total(set);
    EXPECT_NEAR((n.mean - mean) / sd, 0, tolerance) << "n of set " << set;
    EXPECT_NEAR(n.sd / sd, 1, tolerance) << "n of set " << set;
  }
}

const model::Values kShort = model::RealRange{0, 2, Rational(1, 10), {}};

/// y is about what so many records add, of rate 1.
NumberProblem times(const model::Policy& outside, double y, double scale, std::int64_t n) {
  NumberProblem problem = make_number({"exponential", {}, {3, 2}, kShort, outside});
  problem.sums = {{y, laplace(1 / scale)}};
  problem.total = KnownTotal{n};
  return problem;
}
NumberProblem private_times(const model::Policy& outside, double y, double scale, double n) {
  NumberProblem problem = times(outside, y, scale, 0);
  problem.total = LatentTotal{2000};
  problem.counts = {{n, laplace(0.1)}};
  return problem;
}
NumberProblem coins(double y, double scale, std::int64_t n) {
  NumberProblem problem = make_number({"binomial", {3}, {2, 3}, model::IntegerRange{0, 3, {}}});
  problem.sums = {{y, laplace(1 / scale)}};
  problem.total = KnownTotal{n};
  return problem;
}

const model::Policy kClamp = model::Clamp{};
const model::Policy kDrop = model::Drop{};

TEST(GibbsPooled, AgreesWithExact) {
  expect_exact({times(kClamp, 2600, 40, 300), times(kClamp, 4500, 400, 500), times(kClamp, 0, 9, 0)}, 0.03);
}
TEST(GibbsPooled, AgreesWithExactWhereNoiseIsWideEverywhere) {
  expect_exact({times(kClamp, 3500, 2000, 300), times(kClamp, 3000, 3000, 500)}, 0.03);
}
TEST(GibbsPooled, AgreesWithExactWhereNIsPrivate) {
  expect_exact({private_times(kClamp, 2600, 60, 300), private_times(kClamp, 4500, 400, 480)}, 0.04);
}
TEST(GibbsPooled, AgreesWithExactForProportions) {
  expect_exact({coins(330, 20, 300), coins(190, 60, 150), coins(40, 5, 40)}, 0.03);
}
TEST(GibbsPooled, WithoutNoiseItIsConjugate) {
  std::vector<NumberProblem> sets;
  for (const auto& [n, y] : {std::pair{400, 90'000.0}, {600, 160'000.0}}) {
    sets.push_back(make_number({"exponential", {}, {8, 2}, model::RealRange{0, 20, Rational(1, 1000), {}}}));
    sets.back().total = KnownTotal{n};
    sets.back().sums = {{y, laplace(1e6)}};
  }
  DriverOptions options;
  options.draws = 10'000;
  const MeanAndSd found = summary(run_gibbs(sets, options), 0, options.draws);
  const double mean = 1008.0 / 252;
  EXPECT_NEAR(found.mean, mean, 4.9 * mean / std::sqrt(1008.0 * 10'000));
  EXPECT_NEAR(found.sd * std::sqrt(1008.0) / mean, 1, 0.015);
}
TEST(GibbsPooled, WithoutNoiseMeanAndVarianceAreConjugate) {
  std::vector<NumberProblem> sets;
  for (const auto& [n, sum, squares] : {std::tuple{400, 280.0, 480.0}, {200, 60.0, 190.0}}) {
    sets.push_back(
        make_number({"normal", {}, {0.5, 2, 3, 1.5}, model::RealRange{-50, 50, Rational(1, 100), {}}}));
    sets.back().total = KnownTotal{n};
    sets.back().sums = {{100 * sum, laplace(1e3)}};
    sets.back().square_sums = {{1e4 * squares, gaussian(1e-3)}};
  }
  DriverOptions options;
  options.draws = 20'000;
  const ChainRun run = run_gibbs(sets, options);
  const auto [mean, weight, shape, scale] = sets.front().law->update(sets.front().prior, {600, 340, 670});
  const double expected = scale / (shape - 1);
  const double spread = std::sqrt(expected / weight);
  const MeanAndSd mu = summary(run, 0, options.draws);
  const MeanAndSd variance = summary(run, 1, options.draws);
  EXPECT_NEAR(mu.mean, mean, 0.05 * spread);
  EXPECT_NEAR(mu.sd / spread, 1, 0.03);
  EXPECT_NEAR(variance.mean, expected, 0.05 * variance.sd);
  EXPECT_NEAR(variance.sd / (expected / std::sqrt(shape - 2)), 1, 0.03);
}
TEST(GibbsPooled, RefusesSetsOfDifferentLevels) {
  const auto normal = [](const Rational& grid) {
    NumberProblem problem = make_number({"normal", {}, {0, 2, 4, 3}, model::RealRange{-3, 3, grid, {}}});
    problem.total = KnownTotal{10};
    return problem;
  };
  try {
    static_cast<void>(draw_joint_number({normal(Rational(1, 10)), normal(Rational(1, 20))}, {}, {}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_unsuitable);
  }
}

TEST(GibbsDropped, AgreesWithExact) { expect_exact({times(kDrop, 2300, 40, 300)}, 0.03); }
TEST(GibbsDropped, AgreesWithExactWhereNoiseIsWide) { expect_exact({times(kDrop, 3000, 1500, 400)}, 0.04); }
TEST(GibbsDropped, AgreesWithExactWhereNIsPrivate) {
  expect_exact({private_times(kDrop, 2300, 60, 300)}, 0.04);
}
TEST(GibbsDropped, AgreesWithExactInSetsThatDropAndClamp) {
  expect_exact({times(kDrop, 2300, 40, 300), times(kClamp, 4400, 400, 500)}, 0.03);
}
/// The mean is four deviations below the range.
TEST(GibbsDropped, AgreesWithExactWhereLittleIsKept) {
  NumberProblem problem = make_number({"normal-mean", {1}, {-4, 1}, kShort, kDrop});
  problem.sums = {{700, laplace(1 / 30.0)}};
  problem.total = KnownTotal{300};
  expect_exact({problem}, 0.04);
}

void expect_calibrated(const ChainSetting& setting) { expect_chain_calibrated(setting, run_gibbs); }

const model::Values kSigned = model::RealRange{-2, 2, Rational(1, 10), {}};

TEST(GibbsPooledCalibration, TwoSetsOfPrivateN) {
  expect_calibrated(
      {{"exponential", {}, {8, 6}, kShort}, {300, 600}, true, {{laplace(0.9 / 20)}, {}, {}, {laplace(0.1)}}});
}
TEST(GibbsPooledCalibration, TwoSetsOfNormals) {
  expect_calibrated({{"normal", {}, {0, 4, 20, 20}, kSigned},
                     {200, 400},
                     false,
                     {{laplace(1.0 / 40)}, {laplace(1.0 / 400)}, {}, {}}});
}
TEST(GibbsDroppedCalibration, Exponential) {
  expect_calibrated({{"exponential", {}, {16, 12}, kShort, kDrop},
                     {600},
                     true,
                     {{laplace(0.9 / 20)}, {}, {}, {laplace(0.1)}}});
}
TEST(GibbsDroppedCalibration, Normal) {
  expect_calibrated({{"normal", {}, {0, 4, 20, 20}, kSigned, kDrop},
                     {600},
                     false,
                     {{laplace(1.0 / 40)}, {laplace(1.0 / 400)}, {}, {}}});
}

}  // namespace
}  // namespace postern::infer
