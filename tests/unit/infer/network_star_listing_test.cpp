#include <gtest/gtest.h>

#include "postern/infer/network/star_posterior.hpp"

#include "brute_noise.hpp"
#include "network_listing.hpp"
#include "star_problems.hpp"

// The exact posterior of a star against listing every data set.

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;

constexpr std::size_t kMemory = std::size_t{1} << 30;

void expect_listed(const NetworkProblem& problem) {
  const NetworkListing listing(problem);
  const StarPosterior posterior(problem, kMemory, 1);
  EXPECT_NEAR(posterior.log_evidence(), listing.log_evidence(),
              1e-12 * (1 + std::abs(listing.log_evidence())));
  ASSERT_EQ(posterior.cells(), listing.cells());
  for (std::size_t k = 0; k < listing.cells(); ++k) {
    EXPECT_NEAR(posterior.mean(k), listing.mean(k), 1e-12) << k;
    EXPECT_NEAR(posterior.sd(k), listing.sd(k), 1e-12) << k;
  }
  for (const std::int64_t n : {0, 1, 3})
    EXPECT_NEAR(posterior.total_probability(n), listing.total_probability(n), 1e-12);
  const std::size_t variables = problem.sizes.size();
  for (std::size_t v = 0; v <= variables; ++v) {
    std::vector<std::int32_t> record(variables, 1);
    if (v < variables) record[v] = -1;  // each missing once, then none
    EXPECT_NEAR(std::exp(posterior.log_predictive(record)), listing.predictive(record), 1e-12) << v;
  }
  std::vector<std::int32_t> missing(variables, -1);
  EXPECT_NEAR(posterior.log_predictive(missing), 0, 1e-12);
}

StarOptions options_of(bool latent, std::vector<release::NoiseLaw> releases) {
  StarOptions options;
  options.leaves = {2, 3};
  options.n = 4;
  options.latent = latent;
  options.releases = std::move(releases);
  return options;
}

TEST(StarEqualsListing, WithLaplaceNoise) {
  Rng rng(1, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    for (const double lambda : {0.01, 0.5, 3.0})
      expect_listed(simulate_star(options_of(latent, {DiscreteLaplace(lambda)}), rng).problem);
  }
}

TEST(StarEqualsListing, WithContinuousNoiseAndBands) {
  Rng rng(9, 0, Purpose::test);
  std::size_t turn = 0;
  for (const bool latent : {false, true}) {
    for (const release::NoiseLaw& law :
         {release::NoiseLaw(DiscreteLaplace(0.5)), release::NoiseLaw(DiscreteGaussian(3))}) {
      NetworkProblem problem = simulate_star(options_of(latent, {law}), rng).problem;
      for (NetworkFamily& family : problem.families) {
        for (auto& values : family.noisy_values) {
          for (NoisyValue& value : values) value = made_elsewhere(value, turn++);
        }
      }
      expect_listed(problem);
    }
  }
}

TEST(StarEqualsListing, WithGaussianNoise) {
  Rng rng(2, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    for (const double sigma2 : {0.2, 2.0, 400.0})
      expect_listed(simulate_star(options_of(latent, {DiscreteGaussian(sigma2)}), rng).problem);
  }
}

TEST(StarEqualsListing, WithSeveralReleases) {
  Rng rng(3, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    expect_listed(
        simulate_star(options_of(latent, {DiscreteLaplace(0.4), DiscreteGaussian(3.0), DiscreteLaplace(1)}),
                      rng)
            .problem);
  }
}

TEST(StarEqualsListing, WithOtherPriorsAndCellsNobodySaw) {
  Rng rng(4, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    StarStudy study = simulate_star(options_of(latent, {DiscreteLaplace(0.7)}), rng);
    NetworkProblem& problem = study.problem;
    problem.families[0].alpha = {0.1, 7};
    problem.families[0].noisy_values[1].clear();  // a binary root through one cell
    for (std::size_t k = 0; k < 4; ++k) problem.families[1].alpha[k] = 0.3 + 2 * static_cast<double>(k);
    for (std::size_t k = 3; k < 6; ++k) problem.families[2].noisy_values[k].clear();  // a whole row
    if (latent) problem.total = LatentTotal{4, -0.3};
    expect_listed(problem);
  }
}

TEST(StarEqualsListing, WithThreeClassesAndTheRootInTheMiddle) {
  Rng rng(5, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    StarOptions options = options_of(latent, {DiscreteLaplace(0.5)});
    options.classes = 3;
    options.leaves = {2, 2};
    options.n = 3;
    NetworkProblem problem = simulate_star(options, rng).problem;
    std::swap(problem.families[0], problem.families[1]);
    std::swap(problem.sizes[0], problem.sizes[1]);
    problem.families[0].variables = {1, 0};
    problem.families[1].variables = {1};
    problem.families[2].variables = {1, 2};
    expect_listed(problem);
  }
}

TEST(StarEqualsListing, ForARootAlone) {
  Rng rng(6, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    StarOptions options = options_of(latent, {DiscreteLaplace(0.5)});
    options.classes = 3;
    options.leaves = {};
    options.n = 9;
    expect_listed(simulate_star(options, rng).problem);
  }
}

TEST(StarEqualsListing, WhereThereAreNoRecords) {
  Rng rng(7, 0, Purpose::test);
  StarOptions options = options_of(false, {DiscreteLaplace(0.5)});
  options.n = 0;
  expect_listed(simulate_star(options, rng).problem);
}

TEST(StarEqualsListing, WhereTheTablesContradictEachOther) {
  Rng rng(8, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    NetworkProblem problem =
        simulate_star(options_of(latent, {DiscreteLaplace(2.0), DiscreteGaussian(2.0)}), rng).problem;
    problem.families[0].noisy_values[0][0].y = 40;
    problem.families[1].noisy_values[0][0].y = -15;
    problem.families[2].noisy_values[2][1].y = 25;
    expect_listed(problem);
  }
}

}  // namespace
}  // namespace postern::infer
