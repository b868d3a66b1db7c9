// prior = "learned" of logistic and Poisson regressions from one release.

#include <gtest/gtest.h>

#include "postern/model/kinds/generalised_linear.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

Study study_with(int version, const std::string& kind, const std::string& prior) {
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
[columns.ill]
categories = ["no", "yes"]
[columns.visits]
integer = [0, 20]
[model]
features = ["age", "smoker"]
kind = ")" + kind + "-regression\"\ntarget = \"" +
                         (kind == "logistic" ? "ill" : "visits") + "\"\n" + prior + "\n",
                     "heart.toml");
}

TEST(LearnedGlmPrior, IsTheDefaultOfVersionTwo) {
  for (const std::string kind : {"logistic", "poisson"}) {
    EXPECT_FALSE(study_with(1, kind, "").model.get<GeneralisedLinear>().learned);
    EXPECT_TRUE(study_with(1, kind, "prior = \"learned\"").model.get<GeneralisedLinear>().learned);
    const Study stated = study_with(2, kind, "prior = { normal = 2 }");
    EXPECT_FALSE(stated.model.get<GeneralisedLinear>().learned);
    EXPECT_EQ(stated.model.get<GeneralisedLinear>().prior_sd, 2);
    const Study study = study_with(2, kind, "");
    EXPECT_TRUE(study.model.get<GeneralisedLinear>().learned);
    // The planning law is the default of version 1.
    EXPECT_EQ(study.model.get<GeneralisedLinear>().prior_sd,
              kind == "logistic" ? Rational(5, 2) : Rational(1));
    EXPECT_EQ(study.model.kind().prior_records(study.model), 0);
    EXPECT_NE(study.model.kind().text(study.model, study.schema).find("prior learned"), std::string::npos);
  }
}

TEST(LearnedGlmPrior, GivesWayToNumbersAndComesBack) {
  const Study study = study_with(2, "logistic", "");
  const Kind& kind = study.model.kind();
  const Model stated = kind.with_prior(study.model, {Rational(7)});
  EXPECT_FALSE(kind.learned_prior(stated));
  const Model again = kind.with_learned_prior(stated);
  EXPECT_TRUE(kind.learned_prior(again));
  EXPECT_EQ(again.get<GeneralisedLinear>().prior_sd, Rational(5, 2));
  EXPECT_FALSE(kind.learned_prior(kind.without_prior(again)));
}

TEST(LearnedGlmPrior, IsWrittenByName) {
  const Study study = study_with(2, "poisson", "");
  EXPECT_NE(to_canonical(study.model.kind().write(study.model)).find("\"prior\":\"learned\""),
            std::string::npos);
}

}  // namespace
}  // namespace postern::model
