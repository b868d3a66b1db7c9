#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

#include "number_augment_support.hpp"
#include "number_gibbs_support.hpp"
#include "oracles.hpp"

// Oracle nig_clamp_sbc_reference: simulated studies of normal records clamped to [-3, 3], with Laplace noise
// on both sums. Ranks of (mu, sigma^2) are uniform for the joint sampler, and not for the conjugate update
// that takes the noisy sums for the true ones.

namespace postern::infer {
namespace {

constexpr long kSteps = 20;  ///< levels in a unit of x
constexpr std::size_t kDraws = 100;
constexpr double kFloor = 1e-3;  ///< of a naive posterior's parameters

using Pair = std::array<double, 2>;

Pair rank_pair(const model::Theta& theta, const std::vector<Pair>& draws, Rng& rng) {
  Pair below{};
  for (const Pair& drawn : draws) {
    for (std::size_t k = 0; k < 2; ++k) below.at(k) += drawn.at(k) < theta.at(k) ? 1 : 0;
  }
  for (double& rank : below) rank = (rank + rng.uniform()) / (kDraws + 1);
  return below;
}

std::vector<Pair> joint_draws(const NumberProblem& problem, Rng& rng) {
  DriverOptions options;
  options.chains = 1;
  options.draws = kDraws;
  options.seed = rng();
  options.threads = 1;
  const ChainRun run = draw_joint_squares({problem}, options, {});
  std::vector<Pair> out(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) out[i] = {run.draws[0][i], run.draws[0][kDraws + i]};
  return out;
}

std::vector<Pair> naive_draws(const NumberProblem& problem, double n, Rng& rng) {
  const double sum = problem.sums[0].y / kSteps;
  const double squares = problem.square_sums[0].y / (kSteps * kSteps);
  const auto [mean, weight, shape, scale, unused] = problem.prior;
  const double all = weight + n;
  const double between = weight * n * (sum / n - mean) * (sum / n - mean) / all;
  const double after = scale + 0.5 * (squares - sum * sum / n + between);
  std::vector<Pair> out(kDraws);
  for (Pair& drawn : out) {
    drawn[1] = std::max(after, kFloor) / draw_gamma(shape + 0.5 * n, rng);
    drawn[0] = (weight * mean + sum) / all + std::sqrt(drawn[1] / all) * draw_normal(rng);
  }
  return out;
}

/// From uniform, with its bootstrap standard error.
struct Distance {
  double ks = 0;
  double se = 0;
};
Distance distance(const std::vector<Pair>& ranks, std::size_t k) {
  constexpr std::size_t kResamples = 200;
  Rng rng(20261117, 0, Purpose::simulation);
  std::vector<double> u;
  for (const Pair& pair : ranks) u.push_back(pair.at(k));
  std::vector<double> again(u.size());
  std::vector<double> resampled;
  for (std::size_t r = 0; r < kResamples; ++r) {
    for (double& x : again) x = u[draw_below(u.size(), rng)];
    resampled.push_back(assess::ks_uniform(again));
  }
  return {assess::ks_uniform(u), mean_and_sd(resampled).sd};
}

/// Of mu and of sigma^2.
struct Distances {
  std::array<Distance, 2> joint;
  std::array<Distance, 2> naive;
};
Distances distances(std::int64_t n, double epsilon, double sensitivity, std::size_t studies) {
  const AugmentShape shape{"normal", {}, {0, 2, 4, 3}, model::RealRange{-3, 3, Rational(1, kSteps), {}}};
  const double lambda = epsilon / sensitivity / kSteps;
  const NumberNoise noise{{laplace(lambda)}, {laplace(lambda / kSteps)}, {}, {}};
  std::vector<Pair> joint(studies);
  std::vector<Pair> naive(studies);
  parallel_for(studies, 0, [&](std::size_t i) {
    Rng rng(20261117, static_cast<std::uint32_t>(i), Purpose::calibration);
    NumberProblem problem = make_number(shape);
    problem.total = KnownTotal{n};
    const TrueNumber truth = draw_truth(problem, n, rng);
    see(problem, noise, truth.totals, rng);
    joint[i] = rank_pair(truth.theta, joint_draws(problem, rng), rng);
    naive[i] = rank_pair(truth.theta, naive_draws(problem, static_cast<double>(n), rng), rng);
  });
  return {{distance(joint, 0), distance(joint, 1)}, {distance(naive, 0), distance(naive, 1)}};
}

class JointSquaresOracle : public testing::TestWithParam<std::size_t> {};

// 400 studies as theirs, and so the same standard error: four of both are allowed. Ours alone: alpha = 1e-6.
TEST_P(JointSquaresOracle, IsCalibratedWhereTheNaiveUpdateIsOffAsFar) {
  const nlohmann::json test = oracle("nig_clamp_sbc_reference").at(GetParam());
  const auto studies = test.at("M").get<std::size_t>();
  const Distances found = distances(test.at("n"), test.at("eps"), test.at("Delta"), studies);
  const double naive[] = {test.at("naive_mu"), test.at("naive_s2")};
  const double joint[] = {test.at("ks_mu"), test.at("ks_s2")};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto& [ours, se] = found.joint.at(k);
    EXPECT_LT(ours, 2.70 / std::sqrt(static_cast<double>(studies))) << test;
    EXPECT_NEAR(ours, joint[k], 4 * std::hypot(se, se)) << test;
    EXPECT_NEAR(found.naive.at(k).ks, naive[k], 4 * std::hypot(found.naive.at(k).se, found.naive.at(k).se))
        << test;
  }
  EXPECT_GT(found.naive[1].ks, 0.1) << test;
}

INSTANTIATE_TEST_SUITE_P(All, JointSquaresOracle, testing::Values(0, 1, 2));

}  // namespace
}  // namespace postern::infer
