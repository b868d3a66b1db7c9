// Audits that must flag what is wrong and pass what is right. Each bound of epsilon is wrong with probability
// 10^-6 at most.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

#include "noisy_tables.hpp"
#include "posterior_draw.hpp"
#include "trial.hpp"

namespace postern::zhang16 {
namespace {

constexpr int kRuns = 500'000;
constexpr double kAlpha = 5e-7;  // a side

double epsilon_at_least(double often, double seldom, double alpha) {
  const double lower = binomial_lower_limit(often, kRuns, alpha);
  return lower <= 0 ? 0 : std::log(lower) - std::log(binomial_upper_limit(seldom, kRuns, alpha));
}

/// One binary variable, one record `value`: how often the clipped counts are (1, 0).
double released_one_zero(int value, double epsilon, std::uint32_t stream) {
  Rng rng(10, stream, Purpose::test);
  double seen = 0;
  for (int run = 0; run < kRuns; ++run) {
    const double zeros = (value == 0 ? 1 : 0) + draw_discrete_laplace(epsilon / 2, rng);
    const double ones = (value == 0 ? 0 : 1) + draw_discrete_laplace(epsilon / 2, rng);
    seen += std::clamp(zeros, 0., 1.) == 1 && std::clamp(ones, 0., 1.) == 0 ? 1 : 0;
  }
  return seen;
}

// Half the noise that is claimed is found out, the whole of it is not: 1 against .97, and 1.97 (500000 runs a
// side).
TEST(NegativeControl, HalfTheNoiseIsFlagged) {
  const double right = epsilon_at_least(released_one_zero(0, 1, 0), released_one_zero(1, 1, 1), kAlpha);
  EXPECT_LE(right, 1);
  EXPECT_GT(right, .95);
  const double wrong = epsilon_at_least(released_one_zero(0, 2, 2), released_one_zero(1, 2, 3), kAlpha);
  EXPECT_GT(wrong, 1.9);
}

/// The statistic that tells a record of ones from one of zeros, for draws that saw one of them.
std::vector<double> statistics(unsigned value, double omega, std::uint32_t stream) {
  Record record;
  record.label = static_cast<std::uint8_t>(value);
  record.features = value == 1 ? 0xffff : 0;
  const CutPosterior posterior(count({&record, 1}), omega, 1);
  std::vector<double> out(kRuns);
  constexpr std::size_t kBatches = 50;
  parallel_for(kBatches, 0, [&](std::size_t batch) {
    Rng rng(11, stream + static_cast<std::uint32_t>(batch), Purpose::test);
    for (std::size_t i = batch * (kRuns / kBatches); i < (batch + 1) * (kRuns / kBatches); ++i) {
      const Coins coins = posterior.draw(rng);
      double product = coins.one / (1 - coins.one);
      for (const auto& feature : coins.feature) product *= feature[1] / (1 - feature[0]);
      out[i] = std::log(product);
    }
  });
  return out;
}

double count_above(const std::vector<double>& values, double threshold) {
  return static_cast<double>(
      std::count_if(values.begin(), values.end(), [&](double x) { return x > threshold; }));
}

// Nominal epsilon 2, sixteen features, one record: 5742 against 353 in another program; 2.47 at least.
TEST(NegativeControl, PrintedSamplerIsFlagged) {
  const double omega = printed_omega(2);
  const double found = epsilon_at_least(count_above(statistics(1, omega, 0), 2.5),
                                        count_above(statistics(0, omega, 100), 2.5), kAlpha);
  EXPECT_GT(found, 2.2);
}

TEST(NegativeControl, CorrectedSamplerPasses) {
  const double omega = priced_omega(2);
  const std::vector<double> ones = statistics(1, omega, 200);
  const std::vector<double> zeros = statistics(0, omega, 300);
  constexpr int kThresholds = 40;
  const auto [least, most] = std::minmax_element(ones.begin(), ones.end());
  for (int i = 0; i < kThresholds; ++i) {
    const double threshold = *least + (*most - *least) * i / kThresholds;
    EXPECT_LE(
        epsilon_at_least(count_above(ones, threshold), count_above(zeros, threshold), kAlpha / kThresholds),
        2);
  }
}

}  // namespace
}  // namespace postern::zhang16
