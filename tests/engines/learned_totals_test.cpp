#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"
#include "postern/infer/counts/learned_table.hpp"
#include "postern/release/noise_law.hpp"

// Totals of learned tables that contradict what single rows say.

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::NoiseLaw;

/// One row holds nearly all records, and what its own cells say of it contradicts many of the totals that the
/// noise of all cells allows: rows must follow n as far as it goes.
TEST(LearnedTableTotals, FollowsTotalsThatOneRowContradicts) {
  constexpr std::uint32_t kLevels = 12;
  const NoiseLaw law = DiscreteGaussian(625);
  Rng rng(49, 0, Purpose::test);
  LearnedTable table;
  table.sizes = {kLevels, kLevels};
  table.at_most = 10'000;
  for (std::uint32_t cell = 0; cell < kLevels * kLevels; ++cell) {
    const double s = cell < kLevels ? 200 : 0;
    table.noisy_values.push_back({{s + static_cast<double>(release::simulate(law, rng)), law}});
  }
  constexpr std::size_t kDraws = 640;
  const LearnedPosterior posterior(table, {.seed = 1, .threads = 1, .draws = kDraws});
  std::vector<double> n(kDraws);
  std::vector<double> first(kDraws);
  posterior.draw_all(
      [&](std::size_t i, std::size_t, const LearnedDraw& draw) {
        n[i] = static_cast<double>(draw.n);
        first[i] = static_cast<double>(
            std::accumulate(draw.counts.begin(), draw.counts.begin() + kLevels, std::int64_t{0}));
        EXPECT_EQ(std::accumulate(draw.counts.begin(), draw.counts.end(), std::int64_t{0}), draw.n);
      },
      {});
  std::vector<double> sorted = n;
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted[kDraws / 20];
  const double high = sorted[kDraws - kDraws / 20];
  EXPECT_GT(high - low, 700);  // the noise of the total: 300 times 3.29, less what is below 0
  double at_low = 0;
  double at_high = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    if (n[i] <= low) at_low = std::max(at_low, first[i]);
    if (n[i] >= high) at_high = std::max(at_high, first[i]);
  }
  EXPECT_LE(at_low, low);
  EXPECT_GT(at_high, at_low + 100);
}

}  // namespace
}  // namespace postern::infer
