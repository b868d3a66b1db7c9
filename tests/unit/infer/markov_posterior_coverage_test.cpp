// Intervals of the posterior of potentials over instances drawn from the prior.

#include <algorithm>
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "markov_posterior_support.hpp"

namespace postern::infer {
namespace {

using testing::kLoop;
using testing::margins_report;
using testing::markov_instance;
using testing::MarkovInstance;
using testing::moments;

const graph::Sizes kFour{2, 2, 2, 2};

/// The share of cells whose 95 % interval holds the truth, over instances; those with too few effective draws
/// do not count.
struct Coverage {
  double share = 0;
  int counted = 0;
  double se = 0;
};
Coverage coverage(const graph::Sizes& sizes, const std::vector<graph::Variables>& cliques, std::int64_t n,
                  double b, MarkovSampler sampler, int instances, std::size_t draws, bool estimated,
                  std::optional<std::int64_t> at_most = {}) {
  Coverage out;
  std::vector<double> shares;
  for (int k = 0; k < instances; ++k) {
    Rng rng(20261118, static_cast<std::uint32_t>(k), Purpose::test);
    const MarkovInstance instance =
        markov_instance(sizes, cliques, 1, n, release::DiscreteLaplace(1 / b), at_most, rng);
    DriverOptions driver;
    driver.draws = draws;
    driver.seed = static_cast<std::uint64_t>(k) + 1;
    MarkovPosteriorOptions options;
    if (!estimated) options.prior_variance = 1;
    const ChainRun run =
        draw_markov_posterior(instance.problem, sampler, margins_report(sizes, cliques), options, driver, {});
    double held = 0;
    double least = 1e300;
    for (std::size_t i = 0; i < instance.margins.size(); ++i) {
      least = std::min(least, moments(run, i, draws).ess);
      std::vector<double> all;
      for (const std::vector<double>& chain : run.draws)
        all.insert(all.end(), chain.begin() + static_cast<std::ptrdiff_t>(i * draws),
                   chain.begin() + static_cast<std::ptrdiff_t>((i + 1) * draws));
      std::sort(all.begin(), all.end());
      const auto at = [&](double p) {
        return all[static_cast<std::size_t>(p * static_cast<double>(all.size()))];
      };
      held += instance.margins[i] >= at(0.025) && instance.margins[i] <= at(0.975) ? 1 : 0;
    }
    if (least >= 100) shares.push_back(held / static_cast<double>(instance.margins.size()));
  }
  out.counted = static_cast<int>(shares.size());
  for (const double share : shares) out.share += share / static_cast<double>(shares.size());
  for (const double share : shares) out.se += std::pow(share - out.share, 2);
  out.se = std::sqrt(out.se) / static_cast<double>(shares.size());
  std::cout << "coverage n " << n << ", b " << b << ": " << out.share << " (se " << out.se << "), "
            << out.counted << " of " << instances << " counted\n";
  return out;
}

const graph::Sizes kThree{3, 3, 3, 3};

TEST(MarkovPosterior, IntervalsHoldTheTruth) {
  const Coverage large = coverage(kThree, kLoop, 10'000, 12, MarkovSampler::potentials, 20, 100, true);
  EXPECT_GE(large.counted, 18);
  EXPECT_NEAR(large.share, 0.945, 0.025 + 2 * large.se);
  const Coverage small = coverage(kFour, kLoop, 1000, 4, MarkovSampler::tables, 12, 100, true);
  EXPECT_GE(small.counted, 10);
  EXPECT_NEAR(small.share, 0.947, 0.018 + 2 * small.se);
}

TEST(LongMarkovPosterior, IntervalsOfFewPotentialsHoldTheTruth) {
  for (const std::int64_t n : {1000, 100'000}) {
    const Coverage few = coverage(kFour, kLoop, n, 20, MarkovSampler::potentials, 200, 250, true);
    EXPECT_GE(few.counted, 180);
    EXPECT_NEAR(few.share, 0.945, 0.025);
  }
}

TEST(LongMarkovPosterior, IntervalsOfLoopsHoldTheTruth) {
  double exact = 0;
  double normal = 0;
  for (const std::int64_t n : {1000, 10'000, 100'000}) {
    const Coverage tables = coverage(kThree, kLoop, n, 4, MarkovSampler::tables, 60, 500, true);
    const Coverage potentials = coverage(kThree, kLoop, n, 20, MarkovSampler::potentials, 60, 500, true);
    EXPECT_GE(std::min(tables.counted, potentials.counted), 50);
    exact += tables.share / 3;
    normal += potentials.share / 3;
  }
  EXPECT_GE(exact, 0.93);
  EXPECT_LE(exact, 0.965);
  EXPECT_GE(normal, 0.92);
  EXPECT_LE(normal, 0.97);
}

std::vector<graph::Variables> third_order_chain(std::uint32_t columns) {
  std::vector<graph::Variables> out;
  for (std::uint32_t a = 0; a < columns; ++a) {
    for (std::uint32_t b = a + 1; b < columns && b - a <= 3; ++b) out.push_back({a, b});
  }
  return out;
}

TEST(LongMarkovPosterior, IntervalsOfChainsHoldTheTruth) {
  const graph::Sizes sizes(10, 3);
  const std::vector<graph::Variables> cliques = third_order_chain(10);
  const Coverage normal = coverage(sizes, cliques, 10'000, 24, MarkovSampler::potentials, 50, 300, true);
  EXPECT_GE(normal.share, 0.92);
  EXPECT_LE(normal.share, 0.97);
  const Coverage exact = coverage(sizes, cliques, 1000, 4.8, MarkovSampler::tables, 50, 300, true);
  EXPECT_GE(exact.share, 0.93);
  EXPECT_LE(exact.share, 0.965);
}

}  // namespace
}  // namespace postern::infer
