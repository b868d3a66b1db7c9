// gibbs for a mean and a variance behind several record sets, and for columns that drop what is outside.

#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

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
  return draw_joint_squares(sets, options, {});
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
  const auto [mean, weight, shape, scale, unused] =
      sets.front().law->update(sets.front().prior, {600, 340, 670});
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
    static_cast<void>(draw_joint_squares({normal(Rational(1, 10)), normal(Rational(1, 20))}, {}, {}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_unsuitable);
  }
}

void expect_calibrated(const ChainSetting& setting) { expect_chain_calibrated(setting, run_gibbs); }

const model::Values kSigned = model::RealRange{-2, 2, Rational(1, 10), {}};

TEST(GibbsPooledCalibration, TwoSetsOfNormals) {
  expect_calibrated({{"normal", {}, {0, 4, 20, 20}, kSigned},
                     {200, 400},
                     false,
                     {{laplace(1.0 / 40)}, {laplace(1.0 / 400)}, {}, {}}});
}
TEST(GibbsDroppedCalibration, Normal) {
  expect_calibrated({{"normal", {}, {0, 4, 20, 20}, kSigned, model::Drop{}},
                     {600},
                     false,
                     {{laplace(1.0 / 40)}, {laplace(1.0 / 400)}, {}, {}}});
}

}  // namespace
}  // namespace postern::infer
