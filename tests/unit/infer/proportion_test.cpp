// Prior and noise in proportion to the data.

#include "postern/infer/warnings/proportion.hpp"

#include <string>

#include <gtest/gtest.h>

#include "small_studies.hpp"

namespace postern::infer {
namespace {

std::string names(const model::Study& study, double n, const Rational& epsilon = 1) {
  const auto plan = model::small_plan(study, epsilon);
  std::string out;
  for (const Warning& one : out_of_proportion(study.model, evidence_of(plan.measurement, study.schema, n)))
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

}  // namespace
}  // namespace postern::infer
