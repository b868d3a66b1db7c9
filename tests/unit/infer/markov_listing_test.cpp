// Every engine of the posterior of potentials on every small graph, against the list of all data sets
// averaged over potentials from the prior.

#include "markov_listing.hpp"

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "markov_posterior_support.hpp"

namespace postern::infer {
namespace {

using testing::kLoop;
using testing::margins_report;
using testing::markov_instance;
using testing::MarkovInstance;
using testing::MarkovListing;
using testing::Moments;
using testing::moments;

struct Small {
  std::string name;
  graph::Sizes sizes;
  std::vector<graph::Variables> cliques;
  std::int64_t n;
  release::NoiseLaw law;
  std::optional<std::int64_t> at_most = {};
  MarkovSampler sampler = MarkovSampler::tables;
};

/// By `tables`, which is exact, with little noise and with much; by `potentials` with noise of scale 12, at
/// and above which it is taken.
std::vector<Small> every_engine_and_graph() {
  const graph::Sizes four{2, 2, 2, 2};
  const graph::Sizes three{2, 2, 2};
  const std::vector<graph::Variables> triangle{{0, 1}, {1, 2}, {0, 2}};
  const release::DiscreteLaplace laplace(0.7);
  std::vector<Small> out{{"loop", four, kLoop, 3, release::DiscreteLaplace(1)},
                         {"loop_much_noise", four, kLoop, 3, release::DiscreteLaplace(0.2)},
                         {"loop_private", four, kLoop, 2, laplace, 3},
                         {"triangle", three, triangle, 5, laplace},
                         {"triangle_gaussian", three, triangle, 5, release::DiscreteGaussian(2)},
                         {"triangle_private", three, triangle, 3, laplace, 5},
                         {"private_much_noise", three, triangle, 3, release::DiscreteLaplace(1.0 / 12), 5},
                         {"triangle_levels", {2, 3, 2}, triangle, 3, release::DiscreteLaplace(0.5)},
                         {"pair", {2, 3}, {{0, 1}}, 4, release::DiscreteLaplace(0.5)},
                         {"one", {3}, {{0}}, 12, release::DiscreteLaplace(0.5)},
                         {"chain", three, {{0, 1}, {1, 2}}, 4, release::DiscreteGaussian(4)},
                         {"apart", three, {{0, 1}, {2}}, 4, laplace, 4},
                         {"within", three, {{1, 0}, {1, 2}, {2, 0}, {1}}, 4, laplace},
                         {"whole", three, {{0, 1, 2}}, 4, laplace},
                         {"one_level", {2, 1, 2}, triangle, 4, release::DiscreteLaplace(1)},
                         {"no_records", three, triangle, 0, release::DiscreteLaplace(1)}};
  const std::size_t shapes = out.size();
  for (std::size_t i = 0; i < shapes; ++i) {
    if (out[i].at_most) continue;  // where n may well be 0 its chains are slow
    Small one = out[i];
    one.name += "_potentials";
    one.sampler = MarkovSampler::potentials;
    one.law = std::holds_alternative<release::DiscreteGaussian>(one.law)
                  ? release::NoiseLaw(release::DiscreteGaussian(288))
                  : release::NoiseLaw(release::DiscreteLaplace(1.0 / 12));
    out.push_back(std::move(one));
  }
  // Enough records for the noise to leave something.
  const release::DiscreteLaplace ten(0.1);
  constexpr auto normal = MarkovSampler::potentials;
  out.push_back({"one_known_potentials", {3}, {{0}}, 60, ten, {}, normal});
  out.push_back({"pair_known_potentials", {2, 2}, {{0, 1}}, 30, ten, {}, normal});
  out.push_back({"one_private_potentials", {2}, {{0}}, 120, ten, 200, normal});
  return out;
}

/// Squares of z, the distance of a chain's mean from the list's in standard errors of both, over all margins
/// of some instances; and the largest distance in posterior deviations that errors do not explain.
struct Distance {
  double squares = 0;
  int margins = 0;
  double bias = 0;
  [[nodiscard]] double rms() const { return std::sqrt(squares / margins); }
};
void add_instance(const Small& one, std::uint32_t number, std::size_t draws, Distance& distance) {
  Rng rng(11, number, Purpose::test);
  const MarkovInstance instance =
      markov_instance(one.sizes, one.cliques, 1, one.n, one.law, one.at_most, rng);
  const MarkovListing listing(one.sizes, one.cliques, instance.problem, one.at_most ? 0 : one.n,
                              one.at_most.value_or(one.n), 1, 20 * draws);
  DriverOptions driver;
  driver.draws = draws;
  driver.seed = number + 1;
  const ChainRun run =
      draw_markov_posterior(instance.problem, one.sampler, margins_report(one.sizes, one.cliques),
                            {.prior_variance = 1}, driver, {});
  for (std::size_t i = 0; i < listing.means.size(); ++i) {
    const Moments got = moments(run, i, driver.draws);
    EXPECT_GT(got.ess, 100) << i;
    if (got.sd < 1e-9) continue;  // of a variable of one level
    const double error = std::hypot(got.sd / std::sqrt(got.ess), listing.errors[i]);
    const double z = (got.mean - listing.means[i]) / error;
    if (one.sampler == MarkovSampler::tables) {
      EXPECT_LT(std::abs(z), 5) << i << ": " << got.mean << " for " << listing.means[i];
    }
    distance.squares += z * z;
    distance.margins += 1;
    distance.bias = std::max(distance.bias, (std::abs(got.mean - listing.means[i]) - 4 * error) / got.sd);
  }
}

/// The normal approximation may be off by a tenth of a deviation; the exact engine by nothing but chance.
void expect_equal(const Small& one, int instances, std::size_t draws) {
  Distance distance;
  for (int k = 0; k < instances; ++k) add_instance(one, static_cast<std::uint32_t>(k), draws, distance);
  std::printf("%s: rms z %.2f over %d margins of %d instances\n", one.name.c_str(), distance.rms(),
              distance.margins, instances);
  if (one.sampler == MarkovSampler::tables) {
    EXPECT_LE(distance.rms(), 1.4);
  }
  EXPECT_LE(distance.bias, 0.1);
}

class MarkovEnginesAndGraphs : public ::testing::TestWithParam<Small> {};

TEST_P(MarkovEnginesAndGraphs, EqualTheListOfDataSets) { expect_equal(GetParam(), 3, 300); }

const auto kName = [](const auto& one) { return one.param.name; };
INSTANTIATE_TEST_SUITE_P(All, MarkovEnginesAndGraphs, ::testing::ValuesIn(every_engine_and_graph()), kName);

/// The same with more instances and more draws of each.
class MarkovEnginesAtLength : public ::testing::TestWithParam<Small> {};

TEST_P(MarkovEnginesAtLength, EqualTheListOfDataSets) { expect_equal(GetParam(), 8, 1000); }

INSTANTIATE_TEST_SUITE_P(Long, MarkovEnginesAtLength, ::testing::ValuesIn(every_engine_and_graph()), kName);

}  // namespace
}  // namespace postern::infer
