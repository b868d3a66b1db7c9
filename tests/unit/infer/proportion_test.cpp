// Prior and noise in proportion to the data.

#include "postern/infer/warnings/proportion.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "small_studies.hpp"

namespace postern::infer {
namespace {

std::string names(const model::Study& study, double n, const Rational& epsilon = 1) {
  const auto plan = model::small_plan(study, epsilon);
  std::string out;
  for (const Warning& one :
       out_of_proportion(study.model, evidence_of(plan.measurement, study.schema, SeenN(n))))
    out += (out.empty() ? "" : " ") + one.name;
  return out;
}

TEST(Proportion, OfPriorAndRecords) {
  const model::Study table = model::small_study({.levels = 100});
  EXPECT_EQ(names(table, 1e6), "");
  EXPECT_EQ(names(table, 101, 1000), "");
  EXPECT_EQ(names(table, 99, 1000), "prior-outweighs-data");
  EXPECT_EQ(names(model::small_study({.levels = 100, .prior = Rational(1, 100)}), 99, 1000), "");
}

// Replace-one with epsilon 1: lambda is 1/2, and the noise of a cell has deviation 2.8.
TEST(Proportion, OfNoiseAndCounts) {
  const model::Study table = model::small_study({.levels = 100});
  EXPECT_EQ(names(table, 290), "");
  EXPECT_EQ(names(table, 270), "noise-outweighs-counts");
  EXPECT_EQ(names(model::small_study({}), 2), "noise-outweighs-counts");  // one cell, and lambda is 1
  EXPECT_EQ(names(model::small_study({}), 3), "");
}

/// n of a release with noise.
SeenN private_n(double about, double noise_sd) {
  SeenN n(about);
  n.noise_sd = noise_sd;
  n.likely_most = about + 2 * noise_sd;
  return n;
}

std::vector<Warning> told(const model::Study& study, const SeenN& n, const Rational& epsilon) {
  return out_of_proportion(study.model,
                           evidence_of(model::small_plan(study, epsilon).measurement, study.schema, n));
}

// The prior is worth 100 records: it does not outweigh what may well be 120.
TEST(Proportion, OfAPrivateNIsWhatThereLikelyIsAtMost) {
  const model::Study table = model::small_study({.levels = 100, .adjacency = model::Adjacency::add_remove});
  EXPECT_TRUE(told(table, private_n(90, 15), 1000).empty());
  const auto surely = told(table, private_n(60, 15), 1000);
  ASSERT_EQ(surely.size(), 1U);
  EXPECT_EQ(surely.front().name, "prior-outweighs-data");
  EXPECT_NE(surely.front().text.find("the data are likely at most 90:"), std::string::npos);
  const auto hardly = told(table, private_n(0, 30), 1000);
  ASSERT_FALSE(hardly.empty());
  EXPECT_NE(
      hardly.front().text.find("likely at most 60 (n itself is hardly known: the noise of its total has "
                               "standard deviation 30)"),
      std::string::npos)
      << hardly.front().text;
}

TEST(Proportion, ThatNIsHardlyKnownIsSaidInsteadOfACount) {
  const model::Study coin = model::small_study({.adjacency = model::Adjacency::add_remove});
  const auto warnings = told(coin, private_n(0, 283), Rational(1, 100));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().name, "noise-outweighs-counts");
  EXPECT_NE(warnings.front().text.find("n is hardly known"), std::string::npos);
  EXPECT_EQ(warnings.front().text.find("counts"), std::string::npos) << warnings.front().text;
  EXPECT_TRUE(told(coin, private_n(2000, 283), Rational(1, 100)).empty());
}

}  // namespace
}  // namespace postern::infer
