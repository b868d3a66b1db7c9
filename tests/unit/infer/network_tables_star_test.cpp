// Naive Bayes has an exact posterior of its own, which the chain must agree with, also where it cannot
// integrate the features out.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network_tables_support.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;

NetworkProblem naive_bayes(std::size_t features, std::int64_t n, bool latent, double lambda) {
  std::vector<std::uint32_t> sizes{2};
  Parents parents{{}};
  for (std::size_t i = 0; i < features; ++i) {
    sizes.push_back(2 + static_cast<std::uint32_t>(i % 2));
    parents.push_back({0});
  }
  NetworkProblem problem = empty_network(sizes, parents, 0.5);
  problem.total = KnownTotal{n};
  if (latent) problem.total = LatentTotal{2 * n, 0};
  Rng rng(7, static_cast<std::uint32_t>(features), Purpose::test);
  release_records(problem, draw_truth(problem, rng), n, release::DiscreteLaplace(lambda), rng);
  return problem;
}

/// Every feature gets a child that nothing was released about: the same posterior, but no feature is a leaf.
NetworkProblem with_silent_children(const NetworkProblem& star) {
  NetworkProblem out = star;
  for (std::uint32_t v = 1; v < star.sizes.size(); ++v) {
    out.sizes.push_back(2);
    const std::size_t cells = std::size_t{2} * star.sizes[v];
    NetworkFamily child{{v, static_cast<std::uint32_t>(out.sizes.size() - 1)},
                        std::vector<double>(cells, 0.5),
                        std::vector<std::vector<NoisyValue>>(cells)};
    out.families.push_back(std::move(child));
  }
  return out;
}

void expect_agreement(const NetworkProblem& star, const NetworkProblem& asked) {
  const StarPosterior exact(star, kMemory, 1);
  DriverOptions options;
  options.draws = 1000;
  const ChainRun run = draw_network_tables(asked, options, {});
  const double limit = -normal_quantile(1e-6 / 2 / static_cast<double>(exact.cells()));
  for (std::size_t cell = 0; cell < exact.cells(); ++cell) {
    const QuantityDraws draws(run, cell, options.draws);
    EXPECT_LT(draws.rhat(), 1.05);
    const double mean = draws.mean([](double x) { return x; });
    EXPECT_LT(std::abs(mean - exact.mean(cell)) / exact.sd(cell) * std::sqrt(draws.ess()), limit) << cell;
  }
}

TEST(NetworkTablesStar, AgreesWithTheExactPosterior) {
  for (const bool latent : {false, true}) {
    const NetworkProblem star = naive_bayes(16, 50, latent, 0.5);
    expect_agreement(star, star);
  }
}

TEST(NetworkTablesStar, AgreesWhereNoFeatureIsALeaf) {
  for (const bool latent : {false, true}) {
    const NetworkProblem star = naive_bayes(6, 30, latent, 0.5);
    expect_agreement(star, with_silent_children(star));
  }
}

}  // namespace
}  // namespace postern::infer
