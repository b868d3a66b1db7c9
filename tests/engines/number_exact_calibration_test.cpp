// Simulation-based calibration of the exact engine of numbers: theta from the prior, records from the law,
// through the owner's encoding, and noise. The distance of the ranks from uniform exceeds 2.70/sqrt(M) with
// probability 1e-6 when the posterior is right.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "number_problems.hpp"

namespace postern::infer {
namespace {

struct Setting {
  NumberShape shape;
  std::int64_t n;  ///< known, or the largest
  double epsilon;
  bool gaussian = false;
  bool latent = false;
};

/// Noise for a sum that a record moves by `width`.
release::NoiseLaw noise_of(const Setting& setting, double width) {
  if (setting.gaussian) return release::DiscreteGaussian(width * width / (setting.epsilon * setting.epsilon));
  return release::DiscreteLaplace(setting.epsilon / width);
}

double seen(double value, const release::NoiseLaw& law, Rng& rng) {
  return value + static_cast<double>(release::simulate(law, rng));
}

struct Truth {
  double theta = 0;
  std::int64_t n = 0;
};

/// Draws theta, records and what is released of them into the problem.
Truth simulate(const Setting& setting, NumberProblem& problem, Rng& rng) {
  const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
  const auto sizes = static_cast<double>(setting.n + 1);
  const std::int64_t n = setting.latent ? static_cast<std::int64_t>(rng.uniform() * sizes) : setting.n;
  const auto& adds = problem.number.values.adds;
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n;) {
    const std::int64_t level = problem.number.level_of(problem.law->draw(theta, rng));
    if (level < 0) continue;  // dropped: n counts those that are kept
    sum += adds[static_cast<std::size_t>(level)];
    ++i;
  }
  const auto width = static_cast<double>(adds.back() - adds.front());
  const release::NoiseLaw law = noise_of(setting, width);
  problem.sums = {{seen(static_cast<double>(sum), law, rng), law}};
  problem.total = KnownTotal{n};
  if (setting.latent) {
    const release::NoiseLaw of_n = noise_of(setting, 1);
    problem.counts = {{seen(static_cast<double>(n), of_n, rng), of_n}};
    problem.total = LatentTotal{setting.n, 0};
  }
  return {theta[0], n};
}

double distance_from_uniform(std::vector<double> u) {
  std::sort(u.begin(), u.end());
  const auto m = static_cast<double>(u.size());
  double out = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto at = static_cast<double>(i);
    out = std::max({out, u[i] - at / m, (at + 1) / m - u[i]});
  }
  return out;
}

void expect_calibrated(const Setting& setting, std::size_t studies) {
  constexpr int kDraws = 19;
  Rng rng(20261116, 0, Purpose::test);
  NumberProblem problem = number_problem(setting.shape);
  std::vector<double> theta_rank;
  std::vector<double> n_rank;
  for (std::size_t i = 0; i < studies; ++i) {
    const Truth truth = simulate(setting, problem, rng);
    const NumberPosterior posterior(problem, 1);
    theta_rank.push_back(posterior.cdf(truth.theta));
    if (!setting.latent) continue;
    double below = 0;
    double equal = 1;
    for (int k = 0; k < kDraws; ++k) {
      std::int64_t n = 0;
      static_cast<void>(posterior.draw({&n, 1}, rng));
      below += n < truth.n ? 1 : 0;
      equal += n == truth.n ? 1 : 0;
    }
    n_rank.push_back((below + rng.uniform() * equal) / (kDraws + 1));
  }
  const double limit = 2.70 / std::sqrt(static_cast<double>(studies));
  EXPECT_LT(distance_from_uniform(theta_rank), limit) << setting.shape.family << ", theta";
  if (setting.latent) {
    EXPECT_LT(distance_from_uniform(n_rank), limit) << setting.shape.family << ", n";
  }
}

using model::IntegerRange;
using model::RealRange;

TEST(NumberCalibration, PoissonClamped) {
  expect_calibrated({{"poisson", {}, IntegerRange{0, 8, {}}, {2, 1, 0, 0}}, 20, 1}, 600);
}
TEST(NumberCalibration, PoissonMappedElsewhere) {
  expect_calibrated({{"poisson", {}, IntegerRange{0, 6, {}}, {3, 1, 0, 0}, model::MapTo{1}}, 30, 1, true},
                    400);
}
TEST(NumberCalibration, Geometric) {
  expect_calibrated({{"geometric", {}, IntegerRange{0, 12, {}}, {2, 3, 0, 0}}, 15, 0.5}, 500);
}
TEST(NumberCalibration, Exponential) {
  expect_calibrated({{"exponential", {}, RealRange{0, 4, Rational(1, 4), {}}, {3, 2, 0, 0}}, 20, 2}, 500);
}
TEST(NumberCalibration, NormalMean) {
  expect_calibrated({{"normal-mean", {2}, RealRange{-4, 4, Rational(1, 2), {}}, {0, 3, 0, 0}}, 12, 1, true},
                    300);
}
TEST(NumberCalibration, ParetoOnItsLogarithm) {
  expect_calibrated({{"pareto", {1}, RealRange{1, 9, 1, {}}, {3, 2, 0, 0}}, 4, 1}, 400);
}
TEST(NumberCalibration, PrivateNumberOfPoissonRecords) {
  expect_calibrated({{"poisson", {}, IntegerRange{0, 5, {}}, {2, 1, 0, 0}}, 25, 1, false, true}, 200);
}
TEST(NumberCalibration, PrivateNumberOfKeptRecords) {
  expect_calibrated({{"poisson", {}, IntegerRange{1, 6, {}}, {3, 1, 0, 0}, model::Drop{}}, 20, 1, true, true},
                    100);
}

}  // namespace
}  // namespace postern::infer
