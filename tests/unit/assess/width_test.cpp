#include "postern/assess/width.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

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
  EXPECT_NEAR(width.rows[0].expected, width.rows[0].without_noise, 1e-9);
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
  for (std::size_t i = 0; i < one.rows.size(); ++i) EXPECT_EQ(one.rows[i].expected, two.rows[i].expected);
}

// Where there is no time for more, the first study is the answer, and is not simulated twice.
TEST(ExpectedWidth, SimulatesAsManyStudiesAsThereIsTimeFor) {
  const model::Study study = small_study({.levels = 3});
  const model::NoisePlan plan = small_plan(study, 1);
  const auto within = [&](double seconds) {
    WidthOptions hurried = options(200, 16, 2);
    hurried.seconds = seconds;
    return expected_width(study, plan, hurried, {});
  };
  const ExpectedWidth first = expected_width(study, plan, options(200, 1), {});
  const ExpectedWidth none = within(0);
  EXPECT_EQ(none.draws, 1U);
  EXPECT_EQ(none.rows[0].expected, first.rows[0].expected);
  const ExpectedWidth all = within(1e9);
  EXPECT_EQ(all.draws, 16U);
  EXPECT_EQ(all.rows[0].expected, expected_width(study, plan, options(200, 16), {}).rows[0].expected);
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

TEST(ExpectedWidth, LooksAtNoMoreRowsThanAsked) {
  const model::Study study = small_study({.levels = 40});
  WidthOptions few = options(100, 2);
  few.most_rows = 5;
  EXPECT_EQ(expected_width(study, small_plan(study, 1), few, {}).rows.size(), 5U);
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
