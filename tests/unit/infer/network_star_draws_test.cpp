#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "postern/core/parallel.hpp"
#include "postern/infer/network/star_posterior.hpp"

#include "fits.hpp"
#include "ranks.hpp"
#include "star_problems.hpp"

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;

constexpr std::size_t kMemory = std::size_t{1} << 30;

/// Means of many draws against the exact means; every one passes with probability 1 - 1e-6 or more.
void expect_means(const StarOptions& options, std::uint32_t stream) {
  Rng rng(20261118, stream, Purpose::test);
  const StarPosterior posterior(simulate_star(options, rng).problem, kMemory, 1);
  constexpr int kDraws = 20'000;
  std::vector<double> theta(posterior.cells());
  std::vector<double> sum(posterior.cells());
  std::vector<double> squares(posterior.cells());
  double totals = 0;
  for (int i = 0; i < kDraws; ++i) {
    totals += static_cast<double>(posterior.draw(theta, rng));
    for (std::size_t k = 0; k < theta.size(); ++k) {
      sum[k] += theta[k];
      squares[k] += (theta[k] - posterior.mean(k)) * (theta[k] - posterior.mean(k));
    }
  }
  for (std::size_t k = 0; k < theta.size(); ++k) {
    const double sd = posterior.sd(k);
    EXPECT_NEAR(sum[k] / kDraws, posterior.mean(k), 5 * sd / std::sqrt(kDraws)) << k;
    // A bounded variable's fourth moment is at most its second, so this is loose where sd is small.
    EXPECT_NEAR(squares[k] / kDraws, sd * sd, 5 * std::max(sd, sd * sd) / std::sqrt(kDraws)) << k;
  }
  EXPECT_NEAR(totals / kDraws, posterior.total().mean, 5 * posterior.total().sd / std::sqrt(kDraws) + 1e-9);
}

TEST(StarDraws, HaveTheExactMeans) {
  StarOptions few;
  few.leaves = {2, 3, 4};
  few.n = 50;
  expect_means(few, 0);
  few.latent = true;
  expect_means(few, 1);
}

TEST(StarDraws, HaveTheExactMeansOfManyRecords) {
  StarOptions many;
  many.classes = 3;
  many.leaves = {2, 5, 2};
  many.n = 20'000;
  many.releases = {DiscreteLaplace(0.01)};
  expect_means(many, 2);
  many.latent = true;
  many.releases = {DiscreteGaussian(5000.0)};
  expect_means(many, 3);
}

TEST(StarDraws, DoNotDependOnTheNumberOfThreads) {
  Rng rng(3, 0, Purpose::test);
  StarOptions options;
  options.classes = 4;
  options.leaves = {2, 3, 2, 6};
  options.n = 3000;
  options.releases = {DiscreteLaplace(0.05)};
  const NetworkProblem problem = simulate_star(options, rng).problem;
  const StarPosterior one(problem, kMemory, 1);
  const StarPosterior four(problem, kMemory, 4);
  EXPECT_EQ(one.log_evidence(), four.log_evidence());
  Rng rng_one(5, 0, Purpose::draws);
  Rng rng_four(5, 0, Purpose::draws);
  std::vector<double> theta_one(one.cells());
  std::vector<double> theta_four(one.cells());
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(one.draw(theta_one, rng_one), four.draw(theta_four, rng_four));
    EXPECT_EQ(theta_one, theta_four);
  }
  for (std::size_t k = 0; k < one.cells(); ++k) EXPECT_EQ(one.mean(k), four.mean(k));
}

/// Ranks of the true parameters, and of n where it is latent, among 99 draws: uniform if the posterior is
/// right.
std::vector<double> simulate_and_rank(const StarOptions& options, std::uint64_t seed, std::uint32_t study) {
  Rng rng(seed, study, Purpose::calibration);
  const StarStudy drawn = simulate_star(options, rng);
  const StarPosterior posterior(drawn.problem, kMemory, 1);
  constexpr std::size_t kDraws = 99;
  std::vector<std::vector<double>> draws(posterior.cells() + 1, std::vector<double>(kDraws));
  std::vector<double> theta(posterior.cells());
  for (std::size_t i = 0; i < kDraws; ++i) {
    draws.back()[i] = static_cast<double>(posterior.draw(theta, rng));
    for (std::size_t k = 0; k < theta.size(); ++k) draws[k][i] = theta[k];
  }
  std::vector<double> ranks;
  for (std::size_t k = 0; k < theta.size(); ++k) ranks.push_back(rank_of(drawn.theta[k], draws[k], rng));
  ranks.push_back(rank_of(static_cast<double>(drawn.n), draws.back(), rng));
  return ranks;
}

/// Chi-square over `bins` equal bins of the ranks, each quantity at the level of fits::kAlpha.
void expect_calibrated(const StarOptions& options, std::size_t studies, std::uint64_t seed) {
  std::vector<std::vector<double>> ranks(studies);
  parallel_for(studies, 0, [&](std::size_t i) {
    ranks[i] = simulate_and_rank(options, seed, static_cast<std::uint32_t>(i));
  });
  const std::size_t bins = std::min<std::size_t>(20, studies / 25);
  const std::vector<double> even(bins, 1.0 / static_cast<double>(bins));
  for (std::size_t q = 0; q < ranks[0].size(); ++q) {
    std::vector<double> count(bins);
    for (const std::vector<double>& one : ranks)
      ++count[std::min(static_cast<std::size_t>(one[q] * static_cast<double>(bins)), bins - 1)];
    EXPECT_GT(fits::cells_p_value(even, count), fits::kAlpha) << "quantity " << q;
  }
}

StarOptions calibrated_star(bool latent, release::NoiseLaw law) {
  StarOptions options;
  options.leaves = {2, 3, 2};
  options.n = 60;
  options.latent = latent;
  options.releases = {law};
  return options;
}

TEST(StarCalibration, OfKnownN) { expect_calibrated(calibrated_star(false, DiscreteLaplace(0.1)), 300, 1); }

TEST(StarCalibration, OfLatentN) { expect_calibrated(calibrated_star(true, DiscreteGaussian(60.0)), 300, 2); }

TEST(StarCalibration, ThroughWindows) {
  StarOptions options = calibrated_star(true, DiscreteLaplace(0.02));
  options.n = 2000;
  options.releases.emplace_back(DiscreteGaussian(5000.0));
  expect_calibrated(options, 300, 3);
}

/// Fixed unless the environment asks for fresh ones.
std::uint64_t long_seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261118 : std::strtoull(text, nullptr, 10);
}

void expect_calibrated_at(std::int64_t n) {
  std::uint64_t seed = long_seed();
  for (const bool latent : {false, true}) {
    for (const double scale : {1.0, 20.0, 500.0}) {
      for (const bool gaussian : {false, true}) {
        StarOptions options =
            calibrated_star(latent, gaussian ? release::NoiseLaw(DiscreteGaussian(2 * scale * scale))
                                             : release::NoiseLaw(DiscreteLaplace(1 / scale)));
        options.classes = 3;
        options.n = n;
        options.alpha = gaussian ? 1 : 0.5;
        SCOPED_TRACE(testing::Message() << "latent " << latent << ", scale " << scale);
        expect_calibrated(options, 1000, seed++);
      }
    }
  }
}

TEST(LongStarCalibration, OfFiveRecords) { expect_calibrated_at(5); }
TEST(LongStarCalibration, OfSixtyRecords) { expect_calibrated_at(60); }
TEST(LongStarCalibration, OfManyRecords) { expect_calibrated_at(2000); }

}  // namespace
}  // namespace postern::infer
