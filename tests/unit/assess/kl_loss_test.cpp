#include "postern/assess/bounds/kl_loss.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/bounds/clipped_count.hpp"
#include "postern/assess/bounds/dirichlet_kl.hpp"
#include "postern/assess/bounds/noise_bound.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"

namespace postern::assess {
namespace {

using Numbers = std::vector<double>;

double loss(const HypotheticalRow& row, const std::vector<std::int64_t>& seen) {
  Numbers a = row.alpha;
  Numbers b = row.alpha;
  for (std::size_t k = 0; k < a.size(); ++k) {
    a[k] += static_cast<double>(row.counts[k]);
    b[k] += static_cast<double>(seen[k]);
  }
  return dirichlet_kl(a, b);
}

/// Calls visit(clipped counts, their probability) for all that a row can become.
template <class Visit>
void for_all(const HypotheticalRow& row, const ClippedNoise& noise, const Visit& visit) {
  std::vector<std::int64_t> seen(row.counts.size());
  for (;;) {
    double probability = 1;
    for (std::size_t k = 0; k < seen.size(); ++k)
      probability *= ClippedCount(row.counts[k], noise.records, noise.rate).pmf(seen[k]);
    visit(seen, probability);
    std::size_t k = 0;
    while (k < seen.size() && seen[k] == noise.records) seen[k++] = 0;
    if (k == seen.size()) return;
    ++seen[k];
  }
}

TEST(DirichletKl, ByHand) {
  EXPECT_NEAR(dirichlet_kl(Numbers{1, 1}, Numbers{2, 1}), 1 - std::log(2), 1e-13);
  EXPECT_NEAR(dirichlet_kl(Numbers{4, 2}, Numbers{2, 5}), 2.54453489, 1e-8);
  EXPECT_NEAR(dirichlet_kl(Numbers{1, 2, 3}, Numbers{3, 2, 1}), 3, 1e-12);
  EXPECT_NEAR(dirichlet_kl(Numbers{1e6, 2e6}, Numbers{1e6, 2e6}), 0, 1e-9);
  // The paper's Lemma A.3 bounds this by 0.
  EXPECT_NEAR(dirichlet_kl(Numbers{2, 2}, Numbers{102, 102}), 26.01, .005);
  EXPECT_THROW((void)dirichlet_kl(Numbers{1}, Numbers{1}), Error);
  EXPECT_THROW((void)dirichlet_kl(Numbers{1, 2}, Numbers{1, 2, 3}), Error);
  EXPECT_THROW((void)dirichlet_kl(Numbers{1, 0}, Numbers{1, 1}), Error);
  EXPECT_THROW((void)dirichlet_kl(Numbers{1, 1}, Numbers{1, NAN}), Error);
}

TEST(KlLoss, OfABinaryRow) {
  const HypotheticalRow row{{1, 1}, {3, 21}};
  const KlMoments moments = hypothetical_kl_moments(row, {1 / 6.8, 50});
  EXPECT_NEAR(moments.mean, 3.460241, 5e-7);
  EXPECT_NEAR(moments.variance, 37.116619, 5e-7);
  EXPECT_NEAR(hypothetical_kl_range(row, 50), 96.500660, 5e-7);
  EXPECT_NEAR(loss(row, {50, 0}), 96.500660, 5e-7);
}

TEST(KlLoss, HasTheMomentsOfEnumeration) {
  const std::vector<HypotheticalRow> rows = {{{1, 1}, {3, 5}},        {{.5, 2}, {0, 12}},
                                             {{2, .3}, {0, 0}},       {{1, .5, 3}, {4, 0, 7}},
                                             {{1, 1, 1}, {12, 0, 0}}, {{.2, 5, 1, 1}, {1, 2, 3, 6}}};
  for (const HypotheticalRow& row : rows) {
    for (const double rate : {.01, .3, 2., 30.}) {
      const ClippedNoise noise{rate, 12};
      double mean = 0;
      double square = 0;
      double range = 0;
      for_all(row, noise, [&](const auto& seen, double probability) {
        const double found = loss(row, seen);
        mean += probability * found;
        square += probability * found * found;
        range = std::max(range, found);
      });
      const KlMoments moments = hypothetical_kl_moments(row, noise);
      EXPECT_NEAR(moments.mean, mean, 1e-11 * (1 + mean));
      EXPECT_NEAR(moments.variance, square - mean * mean, 1e-10 * (1 + square));
      EXPECT_NEAR(hypothetical_kl_range(row, noise.records), range, 1e-11 * range);
    }
  }
}

TEST(KlLoss, WindowsOfLargeCountsLoseNothing) {
  // Far from both ends clipping does not matter, so more records change nothing.
  const HypotheticalRow row{{1, 1}, {20'000, 17'000}};
  const KlMoments near = hypothetical_kl_moments(row, {1. / 34, 40'000});
  const KlMoments far = hypothetical_kl_moments(row, {1. / 34, 4'000'000});
  EXPECT_NEAR(near.mean, far.mean, 1e-10 * near.mean);
  EXPECT_NEAR(near.variance, far.variance, 1e-8 * near.variance);
}

TEST(KlLoss, CornerIsTheWorstWithinTheError) {
  const HypotheticalRow row{{1, .5, 3}, {4, 0, 7}};
  const ClippedNoise noise{.3, 12};
  for (const std::int64_t error : {0, 2, 5, 12}) {
    double worst = 0;
    for_all(row, noise, [&](const auto& seen, double) {
      bool inside = true;
      for (std::size_t k = 0; k < seen.size(); ++k)
        inside = inside && std::abs(seen[k] - row.counts[k]) <= error;
      if (inside) worst = std::max(worst, loss(row, seen));
    });
    EXPECT_NEAR(hypothetical_kl_corner(row, noise.records, static_cast<double>(error)), worst, 1e-11);
  }
  HypotheticalRow wide{Numbers(20, .5), std::vector<std::int64_t>(20, 3)};
  EXPECT_GE(hypothetical_kl_corner(wide, 60, 60), hypothetical_kl_range(wide, 60));
}

// One node, 1000 records, prior Beta(2, 2): the printed deviation, with sums of ranges for sums of squares,
// is exceeded with probability 0.224 instead of 0.1.
TEST(KlLoss, PrintedMcDiarmidIsNoBound) {
  const HypotheticalRow row{{2, 2}, {0, 1000}};
  const ClippedNoise noise{.01 / 2, 1000};
  constexpr double kDelta = .1;
  const double range = (2 * 1000 + 1) * std::log(1003. * 1003.);
  const double printed =
      hypothetical_kl_moments(row, noise).mean + std::sqrt(.5 * range * std::log(1 / kDelta));
  const KlBounds ours = hypothetical_kl_bounds({&row, 1}, noise, kDelta);
  double beyond_printed = 0;
  double beyond_ours = 0;
  for (std::int64_t z = 0; z <= 1000; ++z) {
    const double first = ClippedCount(0, 1000, noise.rate).pmf(z);
    const double added = gamma_divergence(2. + static_cast<double>(z), 2);
    for (std::int64_t w = 0; w <= 1000; ++w) {
      const double probability = first * ClippedCount(1000, 1000, noise.rate).pmf(w);
      const double found = added + gamma_divergence(2. + static_cast<double>(w), 1002) -
                           gamma_divergence(4. + static_cast<double>(z + w), 1004);
      if (found >= printed) beyond_printed += probability;
      if (found >= ours.least()) beyond_ours += probability;
    }
  }
  EXPECT_NEAR(beyond_printed, .224, .0005);
  EXPECT_LE(beyond_ours, kDelta);
}

TEST(KlLoss, PrintedExpectationIsNoBound) {
  // A row without records under the uniform prior: printed 0.
  EXPECT_NEAR(hypothetical_kl_moments({{1, 1}, {0, 0}}, {.001 / 2, 50}).mean, 29.9, .05);
  // Under Beta(2, 2) the "refined" one is 4e-8.
  EXPECT_NEAR(hypothetical_kl_moments({{2, 2}, {0, 500}}, {.1 / 2, 500}).mean, 22.1, .05);
}

// n = 10000 runs, delta = .05: a right bound is exceeded more often than delta + 5 sqrt(delta / n) once in
// 10^6 times.
TEST(KlLoss, BoundsHoldForNaiveBayes) {
  constexpr double kDelta = .05;
  constexpr int kRuns = 10'000;
  Rng rng(2, 0, Purpose::test);
  std::vector<HypotheticalRow> rows = {{{1, 1}, {23, 27}}};
  for (int i = 0; i < 16; ++i) {
    for (const std::int64_t total : {23, 27}) {
      const auto ones = draw_binomial(total, rng.uniform(), rng);
      rows.push_back({{1, 1}, {total - ones, ones}});
    }
  }
  for (const double epsilon : {1., 10.}) {
    const ClippedNoise noise{epsilon / 34, 50};
    const KlBounds bounds = hypothetical_kl_bounds(rows, noise, kDelta);
    EXPECT_GE(bounds.cantelli, bounds.moments.mean);
    int beyond = 0;
    double mean = 0;
    for (int run = 0; run < kRuns; ++run) {
      double all = 0;
      for (const HypotheticalRow& row : rows) {
        std::vector<std::int64_t> seen;
        for (const std::int64_t count : row.counts) {
          const double moved =
              std::floor(draw_exponential(rng) / noise.rate) - std::floor(draw_exponential(rng) / noise.rate);
          seen.push_back(std::clamp<std::int64_t>(count + static_cast<std::int64_t>(moved), 0, 50));
        }
        all += loss(row, seen);
      }
      mean += all / kRuns;
      beyond += all > bounds.least() ? 1 : 0;
    }
    EXPECT_LE(beyond, kRuns * (kDelta + 5 * std::sqrt(kDelta / kRuns)));
    EXPECT_NEAR(mean, bounds.moments.mean, 5 * std::sqrt(bounds.moments.variance / kRuns));
  }
}

TEST(KlLoss, RefusesWhatIsNoRow) {
  const ClippedNoise noise{.1, 10};
  EXPECT_THROW((void)hypothetical_kl_moments({{1}, {3}}, noise), Error);
  EXPECT_THROW((void)hypothetical_kl_moments({{1, 1}, {3}}, noise), Error);
  EXPECT_THROW((void)hypothetical_kl_moments({{1, -1}, {3, 3}}, noise), Error);
  EXPECT_THROW((void)hypothetical_kl_moments({{1, 1}, {3, 11}}, noise), Error);
  EXPECT_THROW((void)hypothetical_kl_moments({{1, 1}, {-3, 1}}, noise), Error);
  EXPECT_THROW((void)hypothetical_kl_moments({{1, 1}, {0, 0}}, {.1, 0}), Error);
  EXPECT_THROW((void)hypothetical_kl_moments({{1, 1}, {0, 0}}, {0, 10}), Error);
  EXPECT_THROW((void)hypothetical_kl_corner({{1, 1}, {0, 0}}, 10, -1), Error);
  EXPECT_THROW((void)hypothetical_kl_bounds({}, noise, .1), Error);
  const HypotheticalRow row{{1, 1}, {3, 3}};
  EXPECT_THROW((void)hypothetical_kl_bounds({&row, 1}, noise, 1), Error);
}

}  // namespace
}  // namespace postern::assess
