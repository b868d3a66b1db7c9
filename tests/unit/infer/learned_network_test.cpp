// Chains on tables whose rows' prior is learned, against the list of all latent data sets.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "learned_network_reference.hpp"
#include "network_tables_support.hpp"

namespace postern::infer {
namespace {

constexpr double kAlpha = 1e-6;       ///< of all comparisons of one test together
constexpr std::size_t kDraws = 2500;  ///< of each of four chains

struct Comparison {
  double worst = 0;  ///< how many standard errors of the chain a mean or a variance is off
  std::size_t times = 0;
  [[nodiscard]] double limit() const { return -normal_quantile(kAlpha / 2 / static_cast<double>(times)); }
};

void compare(const NetworkProblem& problem, std::uint64_t seed, Comparison& out) {
  const LearnedReference reference(problem);
  DriverOptions options;
  options.seed = seed;
  options.draws = kDraws;
  const ChainRun run = draw_network_tables(problem, options, {});
  for (std::size_t q = 0; q < network_quantities(problem); ++q) {
    const QuantityDraws draws(run, q, options.draws);
    const LearnedReference::Moments& exact = reference.moments()[q];
    if (exact.sd() < 1e-9) continue;
    EXPECT_LT(draws.rhat(), 1.02) << "quantity " << q;
    const double variance = exact.sd() * exact.sd();
    const double mean = draws.mean([](double x) { return x; });
    const double centred = draws.mean([&](double x) { return (x - exact.mean) * (x - exact.mean); });
    const double fourth = draws.mean([&](double x) { return std::pow(x - exact.mean, 4); });
    const double ess = std::min(draws.ess(), 4.0 * kDraws);
    const double z = (mean - exact.mean) / (exact.sd() / std::sqrt(ess));
    const double z_variance = (centred - variance) / std::sqrt((fourth - variance * variance) / ess);
    EXPECT_LT(std::abs(z), 8) << "quantity " << q << ": " << mean << " for " << exact.mean;
    out.worst = std::max({out.worst, std::abs(z), std::abs(z_variance)});
    out.times += 2;
  }
}

/// a -> b -> c of two levels each, or a -> c <- b.
NetworkProblem three_columns(bool chain, bool latent, const release::NoiseLaw& law, Rng& rng) {
  NetworkProblem problem =
      empty_network({2, 2, 2}, chain ? Parents{{}, {0}, {1}} : Parents{{}, {}, {0, 1}}, 0.5);
  constexpr std::int64_t kRecords = 5;
  problem.total = KnownTotal{kRecords};
  if (latent) problem.total = LatentTotal{kRecords + 2, -0.1};
  release_records(problem, draw_truth(problem, rng), kRecords, law, rng);
  problem.learned = LearnedRows{};
  problem.learned->cut_total = false;
  return problem;
}

TEST(LearnedNetwork, EqualsTheListOfDataSetsGivenCentres) {
  Rng rng(20261118, 21, Purpose::test);
  Comparison comparison;
  for (std::uint64_t i = 0; i < 8; ++i) {
    SCOPED_TRACE("network " + std::to_string(i));
    const release::NoiseLaw law = i % 2 == 0 ? release::NoiseLaw(release::DiscreteLaplace(0.7))
                                             : release::NoiseLaw(release::DiscreteGaussian(2));
    NetworkProblem problem = three_columns(i % 4 < 2, i > 3, law, rng);
    problem.learned->centres = {{}, {0.9, 0.1}, {0.03, 0.97}};
    compare(problem, i, comparison);
  }
  EXPECT_LT(comparison.worst, comparison.limit()) << comparison.times << " comparisons";
}

TEST(LearnedNetwork, EqualsTheListOfDataSetsWithLearnedCentres) {
  Rng rng(20261118, 22, Purpose::test);
  Comparison comparison;
  for (std::uint64_t i = 0; i < 4; ++i) {
    SCOPED_TRACE("network " + std::to_string(i));
    const release::NoiseLaw law = i % 2 == 0 ? release::NoiseLaw(release::DiscreteLaplace(0.7))
                                             : release::NoiseLaw(release::DiscreteGaussian(2));
    compare(three_columns(i < 2, i % 2 == 0, law, rng), i, comparison);
  }
  EXPECT_LT(comparison.worst, comparison.limit()) << comparison.times << " comparisons";
}

TEST(LearnedNetwork, TakesFourierCoefficients) {
  Rng rng(20261118, 25, Purpose::test);
  Comparison comparison;
  for (const bool latent : {false, true}) {
    SCOPED_TRACE(latent ? "private n" : "public n");
    NetworkProblem problem = empty_network({2, 2, 2}, {{}, {0}, {1}}, 0.5);
    constexpr std::int64_t kRecords = 5;
    problem.total = KnownTotal{kRecords};
    if (latent) problem.total = LatentTotal{kRecords + 2, -0.1};
    release_coefficients(problem, draw_truth(problem, rng), kRecords, release::DiscreteLaplace(0.6), rng);
    problem.learned = LearnedRows{};
    problem.learned->cut_total = false;
    compare(problem, 1, comparison);
  }
  EXPECT_LT(comparison.worst, comparison.limit()) << comparison.times << " comparisons";
}

TEST(LearnedNetwork, TakesPublicRowsAsCountsAndAScale) {
  Rng rng(20261118, 23, Purpose::test);
  Comparison comparison;
  NetworkProblem problem = three_columns(true, true, release::DiscreteLaplace(0.5), rng);
  problem.learned->known = {{1, 2}, {0, 1, 2, 0}, {0, 0, 1, 2}};
  problem.learned->scale = 0.5;
  compare(problem, 1, comparison);
  EXPECT_LT(comparison.worst, comparison.limit()) << comparison.times << " comparisons";
}

/// P(the noise of so many cells adds up to x) for x in -kFar..kFar, by convolution.
constexpr int kFar = 400;
std::vector<double> sum_law(const release::NoiseLaw& law, std::size_t cells) {
  std::vector<double> out(2 * kFar + 1, 0);
  out[kFar] = 1;
  for (std::size_t i = 0; i < cells; ++i) {
    std::vector<double> next(out.size(), 0);
    for (int x = -kFar; x <= kFar; ++x) {
      for (int y = std::max(-kFar, x - kFar); y <= std::min(kFar, x + kFar); ++y)
        next[x + kFar] += out[y + kFar] * std::exp(release::log_pmf(law, x - y));
    }
    out = std::move(next);
  }
  return out;
}

/// n as the released totals have it: two tables of four cells and one of two, each with Laplace noise.
TEST(LearnedNetwork, CutsTheNumberOfRecordsToTheTotals) {
  Rng rng(20261118, 24, Purpose::test);
  const release::NoiseLaw law = release::DiscreteLaplace(0.15);
  const std::map<std::size_t, std::vector<double>> laws{{2, sum_law(law, 2)}, {4, sum_law(law, 4)}};
  NetworkProblem problem = three_columns(true, true, law, rng);
  problem.learned->cut_total = true;
  problem.total = LatentTotal{60, 0};
  DriverOptions options;
  options.draws = kDraws;
  const ChainRun run = draw_network_tables(problem, options, {});
  const QuantityDraws n(run, network_quantities(problem) - 1, options.draws);
  double mass = 0;
  double mean = 0;
  double square = 0;
  for (int i = 0; i <= 60; ++i) {
    double log = 0;
    for (const NetworkFamily& family : problem.families) {
      double total = 0;
      for (const auto& values : family.noisy_values) total += values.front().y;
      log += std::log(
          laws.at(family.noisy_values.size())[static_cast<std::size_t>(std::lround(total) - i + kFar)]);
    }
    mass += std::exp(log);
    mean += std::exp(log) * i;
    square += std::exp(log) * i * i;
  }
  mean /= mass;
  const double sd = std::sqrt(square / mass - mean * mean);
  const double ess = std::min(n.ess(), 4.0 * kDraws);
  EXPECT_GT(ess, 500);
  EXPECT_LT(std::abs(n.mean([](double x) { return x; }) - mean),
            -normal_quantile(kAlpha / 2) * sd / std::sqrt(ess))
      << "mean " << mean << ", sd " << sd;
}

}  // namespace
}  // namespace postern::infer
