// prior = "learned" of a linear regression.

#include <gtest/gtest.h>

#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

Study study_with(int version, const std::string& prior) {
  return parse_study("version = " + std::to_string(version) + R"(
name    = "heart"
dataset = "clinic"
[privacy]
adjacency = "replace-one"
currency  = "pure"
[columns.age]
integer = [18, 98]
[columns.smoker]
categories = ["no", "yes", "once"]
[columns.pressure]
integer = [60, 240]
[model]
kind = "linear-regression"
target = "pressure"
)" + prior + "\n",
                     "heart.toml");
}

TEST(LearnedRegressionPrior, IsTheDefaultOfVersionTwo) {
  EXPECT_FALSE(study_with(1, "").model.get<LinearRegression>().learned);
  EXPECT_TRUE(study_with(1, "prior = \"learned\"").model.get<LinearRegression>().learned);
  const Study study = study_with(2, "");
  EXPECT_TRUE(study.model.get<LinearRegression>().learned);
  EXPECT_FALSE(study_with(2, "prior = { regression = { shape = 3 } }").model.get<LinearRegression>().learned);
  // Three entries of features: the planning law is today's default.
  EXPECT_EQ(study.model.get<LinearRegression>().prior.slopes, Rational(3, 5));
  EXPECT_EQ(study.model.kind().text(study.model, study.schema),
            "linear-regression: pressure on age, smoker, prior learned");
  EXPECT_EQ(study.model.kind().prior_records(study.model), 0);
}

TEST(LearnedRegressionPrior, GivesWayToNumbersAndComesBack) {
  const Study study = study_with(2, "");
  const Kind& kind = study.model.kind();
  const Model stated = kind.with_prior(study.model, std::vector<Rational>(6, Rational(1)));
  EXPECT_FALSE(kind.learned_prior(stated));
  const Model again = kind.with_learned_prior(stated);
  EXPECT_TRUE(kind.learned_prior(again));
  EXPECT_FALSE(kind.learned_prior(kind.without_prior(again)));
}

TEST(LearnedRegressionPrior, IsWrittenByName) {
  const Study study = study_with(2, "");
  const JsonValue written = study.model.kind().write(study.model);
  EXPECT_NE(to_canonical(written).find("\"prior\":\"learned\""), std::string::npos);
}

}  // namespace
}  // namespace postern::model
