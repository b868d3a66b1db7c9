// Answers about random networks (up to 12 variables of 1 to 4 levels, connected or not) against listing every
// state.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/graph/query.hpp"

#include "random_network.hpp"

namespace postern::graph {
namespace {

constexpr int kNetworks = 200;
constexpr double kClose = 1e-12;

void expect_near(const std::vector<double>& got, const std::vector<double>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], kClose) << "cell " << i;
}

class RandomNetworks : public ::testing::TestWithParam<bool> {};

TEST_P(RandomNetworks, PosteriorsOfEveryVariableAreThoseOfEnumeration) {
  Rng rng(1, 0, Purpose::test);
  int impossible = 0;
  for (int i = 0; i < kNetworks; ++i) {
    const auto network = testing::random_network(12, GetParam(), rng);
    const Evidence evidence = testing::random_evidence(network.sizes, rng);
    const NetworkAnswer answer = posteriors(network.dag, network.sizes, network.tables(), evidence);
    const double probability = network.evidence_probability(evidence);
    if (probability == 0) {
      ++impossible;
      EXPECT_EQ(answer.log_evidence, kMinusInfinity);
      EXPECT_TRUE(answer.tables.empty());
      continue;
    }
    EXPECT_NEAR(answer.log_evidence, std::log(probability), kClose);
    ASSERT_EQ(answer.tables.size(), network.sizes.size());
    for (std::uint32_t v = 0; v < network.sizes.size(); ++v)
      expect_near(answer.tables[v], network.joint({v}, evidence));
  }
  EXPECT_EQ(impossible > 10, GetParam());
}

TEST_P(RandomNetworks, JointTablesAreThoseOfEnumeration) {
  Rng rng(2, 0, Purpose::test);
  for (int i = 0; i < kNetworks; ++i) {
    const auto network = testing::random_network(12, GetParam(), rng);
    const Evidence evidence = testing::random_evidence(network.sizes, rng);
    const Variables target = testing::random_target(network.sizes.size(), rng);
    const double probability = network.evidence_probability(evidence);
    const NetworkAnswer answer = joint_table(network.dag, network.sizes, network.tables(), target, evidence);
    if (probability == 0) {
      EXPECT_EQ(answer.log_evidence, kMinusInfinity);
      continue;
    }
    EXPECT_NEAR(answer.log_evidence, std::log(probability), kClose);
    expect_near(answer.tables.at(0), network.joint(target, evidence));
  }
}

TEST_P(RandomNetworks, WhatEvidenceSeparatesMayBeLeftOut) {
  Rng rng(3, 0, Purpose::test);
  for (int i = 0; i < kNetworks; ++i) {
    const auto network = testing::random_network(12, GetParam(), rng);
    const Evidence evidence = testing::random_evidence(network.sizes, rng);
    if (network.evidence_probability(evidence) == 0) continue;
    NetworkQuestion question{{testing::random_target(network.sizes.size(), rng)}, {}, false};
    std::vector<std::uint32_t> levels;
    for (const Seen& seen : evidence) {
      question.evidence.push_back(seen.variable);
      levels.push_back(seen.level);
    }
    const CompiledNetwork small(network.dag, network.sizes, question);
    question.evidence_probability = true;
    EXPECT_LE(small.forecast().cells, CompiledNetwork(network.dag, network.sizes, question).forecast().cells);
    auto work = small.workspace();
    std::vector<double> out(small.offset(1));
    EXPECT_GT(small.run(network.tables(), levels, work, out), kMinusInfinity);
    expect_near(out, network.joint(question.targets[0], evidence));
  }
}

TEST_P(RandomNetworks, TheMostProbableStateIsThatOfEnumeration) {
  Rng rng(4, 0, Purpose::test);
  for (int i = 0; i < kNetworks; ++i) {
    const auto network = testing::random_network(12, GetParam(), rng);
    const Evidence evidence = testing::random_evidence(network.sizes, rng);
    double best = 0;
    network.each_state(evidence, [&](const auto&, double p) { best = std::max(best, p); });
    const LikelyState found = most_probable(network.dag, network.sizes, network.tables(), evidence);
    if (best == 0) {
      EXPECT_EQ(found.log_probability, kMinusInfinity);
      EXPECT_TRUE(found.state.empty());
      continue;
    }
    EXPECT_NEAR(found.log_probability, std::log(best), kClose);
    EXPECT_NEAR(log_probability(network.dag, network.sizes, network.tables(), found.state), std::log(best),
                kClose);
    for (const Seen& seen : evidence) EXPECT_EQ(found.state[seen.variable], seen.level);
  }
}

INSTANTIATE_TEST_SUITE_P(Zeros, RandomNetworks, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "WithZeros" : "Positive"; });

}  // namespace
}  // namespace postern::graph
