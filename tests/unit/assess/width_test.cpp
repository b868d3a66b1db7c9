#include "postern/assess/width.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/plan.hpp"

#include "change_model.hpp"
#include "small_studies.hpp"

namespace postern::assess {
namespace {

using model::small_plan;
using model::small_study;

WidthOptions options(std::optional<std::int64_t> n, std::size_t draws, int threads = 1) {
  WidthOptions out;
  out.n = n;
  out.draws = draws;
  out.threads = threads;
  return out;
}

double uniform_prior_width() { return 0.95 - 0.05; }  // theta ~ Beta(1, 1)

TEST(ExpectedWidth, MeetsTheNoiselessWidthAsNoiseVanishes) {
  const model::Study study = small_study({});
  const ExpectedWidth width = expected_width(study, small_plan(study, 60), options(500, 30), {});
  ASSERT_EQ(width.rows.size(), 1U);
  EXPECT_EQ(width.rows[0].label, "P(x = c1)");
  EXPECT_NEAR(width.rows[0].median, width.rows[0].without_noise, 1e-9);
  EXPECT_FALSE(width.close_to_prior());
}

TEST(ExpectedWidth, MeetsThePriorAsNoiseDrownsTheCounts) {
  const model::Study study = small_study({});
  const ExpectedWidth width =
      expected_width(study, small_plan(study, Rational(1, 10000)), options(50, 20), {});
  EXPECT_NEAR(width.rows[0].prior, uniform_prior_width(), 1e-12);
  EXPECT_NEAR(width.rows[0].expected, uniform_prior_width(), 1e-2);
  EXPECT_TRUE(width.close_to_prior());
}

// n becomes known while theta does not: the prior of theta is what the warning is about.
TEST(ExpectedWidth, SaysThatParametersStayCloseToThePriorWhateverBecomesOfN) {
  const model::Study study = small_study({.adjacency = model::Adjacency::add_remove, .n_at_most = 1'000'000});
  ExpectedWidth width = expected_width(study, small_plan(study, Rational(1, 100)), options(40, 10), {});
  ASSERT_EQ(width.rows.size(), 2U);
  EXPECT_LT(width.rows[1].expected, 0.01 * width.rows[1].prior);
  EXPECT_GT(width.rows[0].expected, 0.8 * width.rows[0].prior);
  EXPECT_TRUE(width.close_to_prior());
}

// With one record, x ~ Bernoulli(1/2): the noiseless posterior is Beta(2, 1) or Beta(1, 2), equally wide.
TEST(ExpectedWidth, KnowsOneRecordByHand) {
  const model::Study study = small_study({});
  const ExpectedWidth width = expected_width(study, small_plan(study, 1), options(1, 5), {});
  const double by_hand = std::sqrt(0.95) - std::sqrt(0.05);  // cdf of Beta(2, 1) is x^2
  EXPECT_NEAR(width.rows[0].without_noise, by_hand, 1e-9);
  EXPECT_GT(width.rows[0].expected, by_hand);
  EXPECT_LT(width.rows[0].expected, uniform_prior_width());
}

TEST(ExpectedWidth, IsTheSameForAnyNumberOfThreads) {
  const model::Study study = small_study({.levels = 3, .currency = Currency::zcdp});
  const model::NoisePlan plan = small_plan(study, 1);
  const ExpectedWidth one = expected_width(study, plan, options(200, 16, 1), {});
  const ExpectedWidth two = expected_width(study, plan, options(200, 16, 2), {});
  ASSERT_EQ(one.rows.size(), 3U);
  for (std::size_t i = 0; i < one.rows.size(); ++i) EXPECT_EQ(one.rows[i].median, two.rows[i].median);
}

/// Every look at this clock takes a second: one before all studies, two a study.
std::function<double()> ticking_clock() {
  return [now = 0.0]() mutable { return now++; };
}

// Studies begin in order while there is time, and a few do without it: the first are never simulated twice.
TEST(ExpectedWidth, BeginsNoStudyAfterItsTime) {
  const model::Study study = small_study({.levels = 3});
  const model::NoisePlan plan = small_plan(study, 1);
  const auto within = [&](double seconds) {
    WidthOptions hurried = options(200, 16);
    hurried.seconds = seconds;
    hurried.clock = ticking_clock();
    return expected_width(study, plan, hurried, {});
  };
  EXPECT_EQ(within(0).draws, kFewestStudies);
  EXPECT_EQ(within(7).draws, kFewestStudies);
  const ExpectedWidth five = within(10);
  EXPECT_EQ(five.draws, 5U);
  EXPECT_EQ(five.seconds, 1);
  EXPECT_EQ(five.rows[0].median, expected_width(study, plan, options(200, 5), {}).rows[0].median);
  EXPECT_EQ(within(1e9).draws, 16U);
  EXPECT_EQ(expected_width(study, plan, options(200, 2), {}).draws, 2U);
}

TEST(ExpectedWidth, HasQuartilesOfTheStudies) {
  const model::Study study = small_study({.levels = 3});
  const model::NoisePlan plan = small_plan(study, 1);
  std::vector<double> widths;
  for (const std::size_t draws : {1U, 2U, 3U}) {  // the sum of the first k is k times their mean
    const double mean = expected_width(study, plan, options(200, draws), {}).rows[0].expected;
    double before = 0;
    for (const double width : widths) before += width;
    widths.push_back(mean * static_cast<double>(draws) - before);
  }
  std::sort(widths.begin(), widths.end());
  const WidthRow row = expected_width(study, plan, options(200, 3), {}).rows[0];
  EXPECT_NEAR(row.median, widths[1], 1e-12);
  EXPECT_NEAR(row.q25, (widths[0] + widths[1]) / 2, 1e-12);
  EXPECT_NEAR(row.q75, (widths[1] + widths[2]) / 2, 1e-12);
}

// A prior that allows any spread says nothing of the study one has in mind; a truth does.
TEST(ExpectedWidth, IsThatOfAnAssumedTruth) {
  const model::Study study = small_study({});
  const model::NoisePlan plan = small_plan(study, 60);
  WidthOptions assumed = options(400, 40);
  assumed.at = {0.01};
  const WidthRow rare = expected_width(study, plan, assumed, {}).rows[0];
  assumed.at = {0.5};
  const WidthRow even = expected_width(study, plan, assumed, {}).rows[0];
  EXPECT_NEAR(even.median, 2 * 1.645 * std::sqrt(0.25 / 400), 0.002);
  EXPECT_LT(rare.q75, even.q25 / 2);
  EXPECT_EQ(rare.prior, even.prior);
}

TEST(ExpectedWidth, TellsOfAPrivateNumberOfRecords) {
  const model::Study study = small_study({.adjacency = model::Adjacency::add_remove, .n_at_most = 300});
  for (const auto& n : {std::optional<std::int64_t>(), std::optional<std::int64_t>(150)}) {
    const ExpectedWidth width = expected_width(study, small_plan(study, 1), options(n, 20), {});
    ASSERT_EQ(width.rows.size(), 2U);
    EXPECT_NEAR(width.rows[1].prior, 270, 1e-9);
    EXPECT_GT(width.rows[1].expected, 2);
    EXPECT_LT(width.rows[1].expected, 30);
  }
}

TEST(ExpectedWidth, TellsOfEveryCell) {
  const model::Study study = small_study({.levels = 40});
  EXPECT_EQ(expected_width(study, small_plan(study, 1), options(100, 2), {}).rows.size(), 40U);
}

// Of a thousand cells some stand for those of the same prior; for others they do not.
TEST(ExpectedWidth, LetsCellsStandForThoseThatAreAlike) {
  model::Study study = small_study({.levels = 1000});
  model::change_model<model::Categorical>(study, [](model::Categorical& model) {
    for (std::size_t i = 500; i < 1000; ++i) model.alpha[i] = 50;
  });
  const ExpectedWidth width = expected_width(study, small_plan(study, 8), options(20000, 8), {});
  ASSERT_EQ(width.rows.size(), 1000U);
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_LT(width.rows[i].median, width.rows[500 + i].median / 2) << i;
    EXPECT_EQ(width.rows[i].prior, width.rows[0].prior);
  }
  EXPECT_EQ(width.rows[999].label, "P(x = c999)");
  EXPECT_NE(width.rows[0].median, width.rows[1].median);
  EXPECT_EQ(width.rows[0].median, width.rows[128].median);
}

TEST(ExpectedWidth, RefusesWhatCannotBeSimulated) {
  const model::Study study = small_study({});
  EXPECT_THROW((void)expected_width(study, small_plan(study, 1), options(10, 0), {}), Error);
  EXPECT_THROW((void)expected_width(study, small_plan(study, 1), options(std::nullopt, 1), {}), Error);
}

TEST(PosteriorBytes, GrowWithTheTable) {
  const model::Study narrow = small_study({.levels = 3});
  const model::Study wide = small_study({.levels = 300});
  const auto small = posterior_bytes(narrow, small_plan(narrow, 1), 1000);
  const auto large = posterior_bytes(wide, small_plan(wide, 1), 1000);
  EXPECT_GT(small, 0);
  EXPECT_GT(large, 10 * small);
}

}  // namespace
}  // namespace postern::assess
