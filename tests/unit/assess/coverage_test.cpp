#include "postern/assess/coverage.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "small_studies.hpp"

namespace postern::assess {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Two-sided probability of a normal beyond 4.9: 1e-6.
constexpr double kDeviations = 4.9;

TEST(Coverage, OfRanksByHand) {
  const std::vector<double> ranks = {0, .01, .1, .3, .5, .7, .8, .96, 1, .25};
  EXPECT_EQ(rank_coverage(ranks, .50).inside, 4U);  // .3 .5 .7 and, at the end of the interval, .25
  EXPECT_EQ(rank_coverage(ranks, .90).inside, 6U);
  EXPECT_EQ(rank_coverage(ranks, .95).inside, 7U);
  const Coverage half = rank_coverage(ranks, .50);
  EXPECT_DOUBLE_EQ(half.share(), .4);
  EXPECT_DOUBLE_EQ(half.standard_error(), std::sqrt(.025));
  EXPECT_DOUBLE_EQ(half.deviation(), -.1 / std::sqrt(.025));
}

TEST(Coverage, KeepsItsStandardErrorWhenAllAreInside) {
  const Coverage all = rank_coverage(std::vector<double>(100, .5), .90);
  EXPECT_DOUBLE_EQ(all.share(), 1);
  EXPECT_DOUBLE_EQ(all.standard_error(), .03);
  EXPECT_NEAR(all.deviation(), 1 / .3, 1e-12);
}

TEST(Coverage, OfIntervalsByHand) {
  const std::vector<Interval> intervals = {{0, 1}, {0, 1}, {0, 1}, {-2, -1}, {3, 3}};
  const std::vector<double> truths = {0, 1, 1.5, -2.5, 3};  // ends belong to the interval
  const Coverage coverage = interval_coverage(intervals, truths, .9);
  EXPECT_EQ(coverage.inside, 3U);
  EXPECT_EQ(coverage.trials, 5U);
}

/// Truths N(0, 1), each seen with noise N(0, 1), and posterior N(y/2, 1/2), its sd times `stretch`.
struct NormalStudies {
  std::vector<double> truths, ranks;
  std::vector<Interval> intervals;
  NormalStudies(std::size_t studies, double level, double stretch, std::uint64_t seed) {
    Rng rng(seed, 0, Purpose::test);
    const double sd = stretch * std::sqrt(.5);
    const double reach = sd * normal_quantile((1 + level) / 2);
    for (std::size_t i = 0; i < studies; ++i) {
      const double truth = draw_normal(rng);
      const double centre = (truth + draw_normal(rng)) / 2;
      truths.push_back(truth);
      ranks.push_back(normal_cdf((truth - centre) / sd));
      intervals.push_back({centre - reach, centre + reach});
    }
  }
};

TEST(Coverage, IsTheSameByRanksAndByIntervals) {
  for (const double level : kCoverageLevels) {
    const NormalStudies studies(2000, level, 1.3, 1);
    EXPECT_EQ(rank_coverage(studies.ranks, level).inside,
              interval_coverage(studies.intervals, studies.truths, level).inside);
  }
}

// 20 000 studies. Intervals a tenth too narrow hold 45.6, 86.1 and 92.2 % in place of 50, 90 and 95: 12, 18
// and 18 standard errors.
TEST(Coverage, AcceptsAPosteriorAndSeesANarrowOne) {
  const RankSummary right = summarise_ranks(NormalStudies(20000, .9, 1, 2).ranks);
  const RankSummary narrow = summarise_ranks(NormalStudies(20000, .9, .9, 3).ranks);
  EXPECT_EQ(right.trials, 20000U);
  for (std::size_t i = 0; i < kCoverageLevels.size(); ++i) {
    EXPECT_EQ(right.coverage[i].level, kCoverageLevels[i]);
    EXPECT_LT(std::abs(right.coverage[i].deviation()), kDeviations);
    EXPECT_LT(narrow.coverage[i].deviation(), -kDeviations);
  }
  EXPECT_LT(right.scaled_ks(), 2.70);
  EXPECT_DOUBLE_EQ(right.scaled_ks(), std::sqrt(20000.0) * right.ks);
}

void expect_summary_of_its_ranks(const model::Study& study) {
  CalibrateOptions options;
  options.studies = 50;
  options.draws = 9;
  options.n = 20;
  for (const QuantityCalibration& made :
       calibrate(study, model::small_plan(study, 1), options, {}).quantities) {
    const RankSummary summary = summarise_ranks(made.ranks);
    EXPECT_EQ(made.ks, summary.ks);
    EXPECT_EQ(made.coverage_50, summary.coverage[0].share());
    EXPECT_EQ(made.coverage_90, summary.coverage[1].share());
    EXPECT_EQ(made.coverage_95, summary.coverage[2].share());
  }
}

TEST(Coverage, IsWhatCalibrationReports) {
  expect_summary_of_its_ranks(model::small_study({}));
  expect_summary_of_its_ranks(model::small_study({.levels = 3}));
}

TEST(RankHistogram, CountsTwentyBinsAndTellsEvenFromUneven) {
  std::vector<double> even;
  for (int i = 0; i < 2000; ++i) even.push_back((i + 0.5) / 2000);
  for (const std::size_t bin : rank_histogram(even).bins) EXPECT_EQ(bin, 100u);
  EXPECT_NEAR(rank_histogram(even).chi_square_tail, 1, 1e-12);
  std::vector<double> narrow;  // intervals twice too narrow: truths in the outer bins
  for (const double u : even) narrow.push_back(std::abs(u - 0.5) < 0.1 ? 0 : u);
  EXPECT_LT(rank_histogram(narrow).chi_square_tail, 1e-6);
  EXPECT_EQ(rank_histogram(std::vector<double>{1.0}).bins.back(), 1u);
  EXPECT_THROW((void)rank_histogram({}), Error);
}

TEST(Coverage, RefusesWhatIsNoRankOrLevel) {
  const std::vector<double> ranks = {.5};
  for (const double level : {0.0, 1.0, -1.0, kNan}) EXPECT_THROW((void)rank_coverage(ranks, level), Error);
  EXPECT_THROW((void)rank_coverage({}, .5), Error);
  for (const double rank : {-.1, 1.1, kNan})
    EXPECT_THROW((void)rank_coverage(std::vector<double>{rank}, .5), Error);
  EXPECT_THROW((void)interval_coverage({}, ranks, .5), Error);
  EXPECT_THROW((void)summarise_ranks({}), Error);
}

}  // namespace
}  // namespace postern::assess
