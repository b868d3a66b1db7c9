#include "postern/assess/truth.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/outlook.hpp"
#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/plan.hpp"

#include "number_studies.hpp"
#include "small_studies.hpp"
#include "vector_studies.hpp"

namespace postern::assess {
namespace {

using Values = std::vector<double>;

model::Study normal_study() {
  return model::number_study(*model::find_number_family("normal"), {.range = {-3, 3, Rational(1, 4)}});
}

/// Columns x and y of two levels each.
model::Study square_study() {
  model::Study study = model::small_study({});
  study.schema = model::Schema({model::plain_column("x", 2), model::plain_column("y", 2)});
  study.model = model::Categorical{{"x", "y"}, {1, 3, 1, 1}};
  return study;
}

std::string refusal(const model::Study& study, const std::string& text) {
  try {
    (void)parse_truth(text, study);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_option);
    return error.what();
  }
  return "no refusal";
}

TEST(ParseTruth, TakesTheWordsOfANumbersPosterior) {
  const model::Study study = normal_study();
  for (const char* text : {"mean 0.5, variance 2", "variance 2,mean 5e-1", " mean of x 0.5 , sigma2 2 "})
    EXPECT_EQ(parse_truth(text, study), (Values{0.5, 2})) << text;
  const model::Study log = model::number_study(*model::find_number_family("log-normal"),
                                               {.range = {1, Rational(7, 2), Rational(1, 4)}});
  EXPECT_EQ(parse_truth("mean of log 1, variance of log 2", log), (Values{1, 2}));
  EXPECT_NE(refusal(log, "mean 1, variance 2").find("no parameter"), std::string::npos);
}

TEST(ParseTruth, TakesProbabilitiesOfATable) {
  const model::Study coin = model::small_study({});
  for (const char* text : {"P(x = c1) 0.3", "theta 0.3", "P(x = c0) 0.7"})
    EXPECT_NEAR(parse_truth(text, coin).at(0), 0.3, 1e-12) << text;
  const model::Study study = square_study();
  EXPECT_EQ(parse_truth("P(x = c0, y = c0) .25, p.2 .25, P(x = c1) .5", study),
            (Values{0.25, 0.25, 0.25, 0.25}));
  // Cells share in proportion to their prior: 1 to 3 in the first row, evenly in the second.
  EXPECT_EQ(parse_truth("P(x = c0) 0.5", study), (Values{0.125, 0.375, 0.25, 0.25}));
}

TEST(ParseTruth, TakesIntervalsAndNumbersAmongTheValues) {
  model::Study study = model::small_study({});
  study.schema = model::Schema(
      {{"x", model::RealRange{0, 20, 1, {Rational(10)}}}, {"y", model::IntegerRange{0, 1, {}}}});
  study.model = model::Categorical{{"x", "y"}, {1, 1, 1, 1}};
  EXPECT_EQ(parse_truth("P(x = [0,10), y = 1) 0.5, P(y = 0) 0.25", study), (Values{0.125, 0.5, 0.125, 0.25}));
}

TEST(ParseTruth, TakesMeansAndACovariance) {
  const model::Study study =
      model::vector_study({{0, 9}, {0, 9}}, model::Adjacency::replace_one, Currency::pure);
  EXPECT_EQ(parse_truth("mean of a 4, mean of b 5, variance of a 2, variance of b 3", study),
            (Values{4, 5, 2, 0, 3}));
  const std::string all =
      "mean of a 4, mean of b 5, variance of a 2, variance of b 3, covariance of a and b ";
  EXPECT_EQ(parse_truth(all + "-1", study), (Values{4, 5, 2, -1, 3}));
  EXPECT_NE(refusal(study, all + "2.5").find("no normal law"), std::string::npos);
}

TEST(ParseTruth, SaysWhatCouldBeWritten) {
  const model::Study normal = normal_study();
  EXPECT_NE(refusal(normal, "mean 1").find("says nothing of 'variance'"), std::string::npos);
  EXPECT_NE(refusal(normal, "mean 1, varianse 2").find("is it 'variance'?"), std::string::npos);
  EXPECT_NE(refusal(normal, "mean 1, mean 2, variance 1").find("twice"), std::string::npos);
  EXPECT_NE(refusal(normal, "mean 1, variance 0").find("above 0"), std::string::npos);
  for (const char* text : {"", "38", "mean", "mean one", "variance 1, mean inf", "mean 1, variance 2,"})
    EXPECT_NE(refusal(normal, text).find("\"mean 1, variance 1\""), std::string::npos) << text;
  const model::Study square = square_study();
  EXPECT_NE(refusal(square, "P(x = c0 | y = c1) 0.5").find("conditional"), std::string::npos);
  EXPECT_NE(refusal(square, "P(x = c0) 0.5, P(y = c0) 0.2").find("disjoint"), std::string::npos);
  EXPECT_NE(refusal(square, "P(x = c0, x = c1) 0.5").find("no cell"), std::string::npos);
  EXPECT_NE(refusal(square, "P(x = c0) 0.7, P(x = c1) 0.7").find("sum to 1"), std::string::npos);
  EXPECT_NE(refusal(square, "P(x = c0) 0.2, P(x = c1) 0.7").find("sum to 1"), std::string::npos);
  EXPECT_NE(refusal(square, "P(x = c0) 1.2").find("from 0 to 1"), std::string::npos);
}

TEST(SimulateStudy, TakesItsParametersFromTheTruth) {
  const model::Study study = square_study();
  Rng rng(5, 0, Purpose::plan);
  const SimulatedStudy made =
      simulate_study(study, model::small_plan(study, 1), 1000, Values{0.5, 0.5, 0, 0}, rng);
  EXPECT_EQ(made.theta(), (Values{0.5, 0.5, 0, 0}));
  const auto& counts = dynamic_cast<const model::SimulatedTable&>(*made.records).counts();
  EXPECT_EQ(counts[0] + counts[1], 1000);
  EXPECT_GT(counts[0], 400);  // six standard deviations
  EXPECT_LT(counts[0], 600);
}

// Records under a vague prior are spread over all the range; under this truth they are not.
TEST(LookAhead, PlansForANumberAsAssumed) {
  const model::Study study = normal_study();
  const model::NoisePlan plan = model::small_plan(study, 40);
  OutlookOptions options;
  options.n = 100;
  options.simulations = 4;
  options.at = "mean 0.5, variance 0.04";
  const auto narrow = look_ahead(study, plan, options, {});
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->width.draws, 4U);
  EXPECT_EQ(narrow->width.outside, 0);
  EXPECT_FALSE(narrow->width.ruled_by_the_prior());
  EXPECT_LT(narrow->width.rows[0].median, 0.15);
  options.at = "mean 0.5, variance 1";
  options.seconds = 0;
  const auto wide = look_ahead(study, plan, options, {});
  EXPECT_EQ(wide->width.draws, kFewestStudies);
  EXPECT_NEAR(wide->width.rows[0].median, 2 * 1.645 / std::sqrt(100), 0.1);
  options.at = "mean 10, variance 1";
  const auto beyond = look_ahead(study, plan, options, {});
  EXPECT_EQ(beyond->width.outside, 1);
  EXPECT_TRUE(beyond->width.ruled_by_the_prior());
  options.at = "mean 3";
  EXPECT_THROW((void)look_ahead(study, plan, options, {}), Error);
}

}  // namespace
}  // namespace postern::assess
