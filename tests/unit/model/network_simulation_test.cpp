// Records of a network that are made up.

#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "network_studies.hpp"

namespace postern::model {
namespace {

using Counts = std::map<std::vector<std::uint32_t>, std::int64_t>;

Counts counted(const SimulatedRecords& records) {
  Counts counts;
  records.for_each([&](std::span<const std::uint32_t> levels, std::int64_t count) {
    counts[{levels.begin(), levels.end()}] += count;
  });
  return counts;
}

TEST(NetworkSimulation, DrawsEveryRowFromItsPrior) {
  const Study study = network_study({2, 3}, {{1}, {}});
  Rng rng(1, 0, Purpose::test);
  const auto made = study.model.kind().simulate(study, 0, std::nullopt, rng);
  ASSERT_EQ(made->theta().size(), 9u);
  for (std::size_t row = 0; row < 3; ++row)
    EXPECT_NEAR(made->theta()[2 * row] + made->theta()[2 * row + 1], 1, 1e-12);
  EXPECT_NEAR(std::accumulate(made->theta().begin() + 6, made->theta().end(), 0.0), 1, 1e-12);
  EXPECT_TRUE(counted(*made).empty());
}

TEST(NetworkSimulation, MakesTheSameRecordsAgain) {
  const Study study = network_study({2, 3, 4}, {{1}, {2}, {}});
  Rng rng(2, 0, Purpose::test);
  const auto made = study.model.kind().simulate(study, 500, std::nullopt, rng);
  EXPECT_EQ(counted(*made), counted(*made));
  const auto more = study.model.kind().simulate(study, 500, made->theta(), rng);
  EXPECT_NE(counted(*made), counted(*more));
}

// Multinomial counts of all joint cells: with n = 200 000 the largest of 24 standardised deviations lies
// below 6 but for one run in 10^7.
TEST(NetworkSimulation, FollowsTheProductOfItsTables) {
  const Study study = network_study({2, 3, 4}, {{1, 2}, {2}, {}});
  Rng rng(20261118, 0, Purpose::test);
  constexpr std::int64_t n = 200'000;
  const auto made = study.model.kind().simulate(study, n, std::nullopt, rng);
  const std::vector<double>& theta = made->theta();
  Counts counts = counted(*made);
  std::int64_t total = 0;
  for (std::uint32_t a = 0; a < 2; ++a) {
    for (std::uint32_t b = 0; b < 3; ++b) {
      for (std::uint32_t c = 0; c < 4; ++c) {
        const double p = theta[2 * (4 * b + c) + a] * theta[24 + 3 * c + b] * theta[24 + 12 + c];
        const std::int64_t count = counts[{a, b, c}];
        total += count;
        EXPECT_LE(std::abs(static_cast<double>(count) - n * p), 6 * std::sqrt(n * p * (1 - p)) + 1);
      }
    }
  }
  EXPECT_EQ(total, n);
}

TEST(NetworkSimulation, ListsCellsWithRecordsOnly) {
  const Study study =
      network_study(std::vector<std::uint32_t>(60, 3), std::vector<std::vector<std::size_t>>(60));
  Rng rng(3, 0, Purpose::test);
  const auto made = study.model.kind().simulate(study, 1000, std::nullopt, rng);
  std::size_t calls = 0;
  std::int64_t total = 0;
  made->for_each([&](std::span<const std::uint32_t> levels, std::int64_t count) {
    ASSERT_EQ(levels.size(), 60u);
    ++calls;
    total += count;
  });
  EXPECT_EQ(total, 1000);
  EXPECT_LE(calls, 1000u);
}

}  // namespace
}  // namespace postern::model
