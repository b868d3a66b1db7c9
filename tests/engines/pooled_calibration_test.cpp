#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"

#include "pooled_support.hpp"
#include "ranks.hpp"

// Simulation-based calibration of the chains on two datasets (Talts et al. 2018): one chain of 99 kept draws
// a study, thinned as the driver thins. With a right posterior the ranks' distance from uniform exceeds
// 2.70/sqrt(M) with probability 1e-6 a quantity.

namespace postern::infer {
namespace {

struct Setting {
  std::string name;
  std::vector<double> alpha;
  bool latent;
  std::vector<std::int64_t> n;  ///< the known totals, or the bounds on them
  std::vector<release::NoiseLaw> law;
  std::vector<release::NoiseLaw> assumed = law;  ///< what the analyst believes
};

/// Ranks in [0, 1] of theta_1, theta_2 and n_1 in one simulated study.
constexpr std::size_t kRanked = 3;
struct Ranks {
  double of[kRanked] = {0, 0, 0};
};

Ranks simulate_and_rank(const Setting& setting, std::uint64_t seed, std::size_t index) {
  Rng rng(seed, static_cast<std::uint32_t>(index), Purpose::calibration);
  const std::size_t cells = setting.alpha.size();
  std::vector<double> theta(cells);
  draw_dirichlet(setting.alpha, theta, rng);
  PooledCounts problem{setting.alpha, {}, {0, 1}};
  std::vector<std::int64_t> totals;
  for (std::size_t d = 0; d < setting.n.size(); ++d) {
    CountProblem& data = problem.datasets.emplace_back();
    std::int64_t n = setting.n[d];
    if (setting.latent) {
      data.total = LatentTotal{n};
      n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(n) + 1, rng));
    } else {
      data.total = KnownTotal{n};
    }
    totals.push_back(n);
    std::vector<std::int64_t> counts(cells);
    draw_multinomial(n, theta, counts, rng);
    for (const std::int64_t s : counts) {
      const auto noise = static_cast<double>(release::simulate(setting.law[d], rng));
      data.noisy_values.push_back({{static_cast<double>(s) + noise, setting.assumed[d]}});
    }
  }
  DriverOptions options;
  options.chains = 1;
  options.draws = 99;
  options.seed = rng();
  options.threads = 1;
  const ChainRun run = draw_pooled_counts(problem, options, {});
  const auto column = [&](std::size_t q) {
    return std::span(run.draws[0]).subspan(q * options.draws, options.draws);
  };
  Ranks out;
  out.of[0] = rank_of(theta[0], column(0), rng);
  out.of[1] = rank_of(theta[1], column(1), rng);
  if (setting.latent) out.of[2] = rank_of(static_cast<double>(totals[0]), column(2), rng);
  return out;
}

/// Fixed in CI, fresh in long runs.
std::uint64_t seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261115 : std::strtoull(text, nullptr, 10);
}

/// KS distance of each quantity's ranks from uniform.
std::vector<double> distances(const Setting& setting, std::size_t studies) {
  std::vector<Ranks> ranks(studies);
  parallel_for(studies, 0, [&](std::size_t i) { ranks[i] = simulate_and_rank(setting, seed(), i); });
  std::vector<double> out;
  for (std::size_t q = 0; q < (setting.latent ? kRanked : kRanked - 1); ++q) {
    std::vector<double> one;
    for (const Ranks& r : ranks) one.push_back(r.of[q]);
    out.push_back(assess::ks_uniform(one));
  }
  return out;
}

void expect_calibrated(const Setting& setting, std::size_t studies) {
  for (const double ks : distances(setting, studies))
    EXPECT_LT(ks, 2.70 / std::sqrt(static_cast<double>(studies))) << setting.name;
}

std::vector<Setting> settings() {
  const auto laplace = [](double epsilon) { return release::NoiseLaw(release::DiscreteLaplace(epsilon)); };
  const auto gaussian = [](double sigma) {
    return release::NoiseLaw(release::DiscreteGaussian(sigma * sigma));
  };
  return {
      {"few records", {1, 1, 1}, false, {10, 20}, {laplace(0.5), laplace(0.5)}},
      {"wide noise", {1, 1, 1}, false, {1000, 1000}, {laplace(0.01), gaussian(100)}},
      {"one sharp, one vague", {0.5, 2, 1, 1}, false, {100, 10000}, {gaussian(2), laplace(0.001)}},
      {"n private", {1, 1, 1}, true, {20, 50}, {laplace(0.5), laplace(0.2)}},
      {"n private, wide noise", {0.3, 1}, true, {1000, 300}, {laplace(0.01), gaussian(50)}},
      {"n private, one sharp, one vague", {1, 2, 0.5}, true, {100, 10000}, {gaussian(1), laplace(0.001)}},
  };
}

struct Run {
  std::size_t setting;
  std::size_t studies;
  friend std::ostream& operator<<(std::ostream& out, const Run& run) {
    return out << settings()[run.setting].name << ", " << run.studies << " studies";
  }
};
class PooledCalibration : public testing::TestWithParam<Run> {};

TEST_P(PooledCalibration, IsCalibrated) {
  expect_calibrated(settings()[GetParam().setting], GetParam().studies);
}

// Few records, sharp beside vague, wide noise: n known and private.
INSTANTIATE_TEST_SUITE_P(Some, PooledCalibration,
                         testing::Values(Run{0, 1000}, Run{2, 1000}, Run{4, 1000}, Run{5, 1000}));
INSTANTIATE_TEST_SUITE_P(Long, PooledCalibration,
                         testing::Values(Run{0, 10000}, Run{1, 10000}, Run{2, 10000}, Run{3, 10000},
                                         Run{4, 10000}, Run{5, 10000}));

// What it would see: an analyst who takes the noise for a fifth of its width.
TEST(PooledCalibrationItself, SeesNoiseOfTheWrongWidth) {
  Setting setting{"wrong", {1, 1, 1}, false, {30, 30}, {}, {}};
  setting.law.assign(2, release::DiscreteLaplace(0.1));
  setting.assumed.assign(2, release::DiscreteLaplace(0.5));
  EXPECT_GT(distances(setting, 1000).front(), 2.70 / std::sqrt(1000.0));
}

}  // namespace
}  // namespace postern::infer
