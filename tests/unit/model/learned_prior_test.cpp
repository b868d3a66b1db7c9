// prior = "learned", and studies of version 2, in which it is the default.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/prior_text.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

Study study_with(int version, const std::string& model) {
  return parse_study("version = " + std::to_string(version) + R"(
name    = "people"
dataset = "census"
[privacy]
adjacency = "replace-one"
currency  = "pure"
[columns.age]
integer = [18, 99]
cuts    = [30, 60]
[columns.sex]
categories = ["f", "m"]
[model]
)" + model + "\n",
                     "study.toml");
}

constexpr const char kTable[] = "kind = \"family\"\nfamily = \"categorical\"\ncolumns = [\"age\", \"sex\"]";
constexpr const char kChance[] = "kind = \"family\"\nfamily = \"bernoulli\"\ncolumn = \"sex\"";

bool learned(const Study& study) { return study.model.kind().learned_prior(study.model); }

TEST(LearnedPrior, IsTheDefaultOfVersionTwoAlone) {
  for (const std::string model : {kTable, kChance}) {
    EXPECT_FALSE(learned(study_with(1, model)));
    EXPECT_TRUE(study_with(1, model).old_default_prior);
    EXPECT_TRUE(learned(study_with(2, model)));
    EXPECT_FALSE(study_with(2, model).old_default_prior);
  }
}

TEST(LearnedPrior, IsStatedByName) {
  const Study study = study_with(1, std::string(kTable) + "\nprior = \"learned\"");
  EXPECT_TRUE(learned(study));
  EXPECT_FALSE(study.old_default_prior);
  EXPECT_EQ(study.model.get<Categorical>().alpha, std::vector<Rational>(6, 1));  // the planning law
  EXPECT_EQ(study.model.kind().prior_records(study.model), 0);
  EXPECT_EQ(study.model.kind().text(study.model, study.schema),
            "categorical: age x sex, 6 cells, prior learned");
}

TEST(LearnedPrior, GivesWayToNumbers) {
  const Study study = study_with(2, std::string(kTable) + "\nprior = { dirichlet = 2 }");
  EXPECT_FALSE(learned(study));
  EXPECT_FALSE(study.old_default_prior);
  const Model stated = study.model.kind().with_prior(study_with(2, kTable).model, {Rational(3)});
  EXPECT_FALSE(stated.kind().learned_prior(stated));
}

TEST(LearnedPrior, IsRefusedWhereThereIsNone) {
  try {
    (void)study_with(
        2, "kind = \"quantiles\"\ncolumn = \"age\"\nprobabilities = [\"0.5\"]\nprior = \"learned\"");
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("prior"), std::string::npos) << error.what();
  }
}

TEST(LearnedPrior, OfALaterVersionIsRefused) {
  EXPECT_THROW((void)study_with(3, kTable), Error);
  EXPECT_THROW((void)study_with(0, kTable), Error);
}

}  // namespace
}  // namespace postern::model
