#include "postern/release/document.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/plan.hpp"

#include "refusal.hpp"
#include "releases.hpp"

namespace postern::release {
namespace {

using testing::people_release;
using testing::people_study;
using testing::replaced;
using testing::smoking_release;
using testing::smoking_study;

TEST(Document, SaysWhatWasReleased) {
  const Release read = parse_document(to_document(people_release()));
  const Release wrote = people_release();
  EXPECT_EQ(read.release_id, wrote.release_id);
  EXPECT_EQ(read.created, wrote.created);
  EXPECT_EQ(read.software, wrote.software);
  EXPECT_EQ(read.cost, wrote.cost);
  EXPECT_EQ(std::get<PrivateCount>(read.n).at_most, 100'000);
  ASSERT_EQ(read.blocks.size(), 1u);
  EXPECT_EQ(read.blocks[0].values, wrote.blocks[0].values);
  EXPECT_EQ(read.blocks[0].block.size, 8u);
  EXPECT_EQ(read.blocks[0].block.noise.parameter, wrote.blocks[0].block.noise.parameter);
  EXPECT_EQ(*read.sensitivity, 9);  // one cell, three records: 3^2
  EXPECT_EQ(read.ledger.seq, 7u);
  EXPECT_EQ(read.ledger.record_set, wrote.ledger.record_set);
  EXPECT_EQ(study_document(read.study), study_document(wrote.study));
}

TEST(Document, KeepsEveryDeclarationOfTheStudy) {
  const model::Study read = parse_document(to_document(people_release())).study;
  const auto& columns = read.schema.columns();
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(std::get<model::Categories>(columns[0].values).labels, (std::vector<std::string>{"no", "yes"}));
  const auto& age = std::get<model::IntegerRange>(columns[1].values);
  EXPECT_EQ(age.lo, 18);
  EXPECT_EQ(age.hi, 99);
  EXPECT_EQ(age.cuts, (std::vector<std::int64_t>{30, 45, 60}));
  EXPECT_EQ(std::get<model::MapTo>(columns[1].missing).level, 3u);
  EXPECT_TRUE(std::holds_alternative<model::Clamp>(columns[1].outside));
  const auto& income = std::get<model::RealRange>(columns[2].values);
  EXPECT_EQ(income.lo, Rational(-1, 2));
  EXPECT_EQ(income.grid, Rational(1, 4));
  EXPECT_EQ(income.cuts, (std::vector<Rational>{Rational(5, 2), 100}));
  EXPECT_FALSE(columns[2].missing_declared);
  EXPECT_EQ(std::get<model::PersonUnit>(read.privacy.unit).at_most, 3);
  EXPECT_EQ(read.privacy.n_at_most, 100'000);
  EXPECT_EQ(read.model.get<model::Categorical>().alpha[4], Rational(1, 2));
}

TEST(Document, NamesAPriorWhoseScaleIsLearned) {
  Release wrote = people_release();
  wrote.study.model = wrote.study.model.kind().with_learned_prior(wrote.study.model);
  const std::string text = to_document(wrote);
  EXPECT_NE(text.find("\"prior\":\"learned\""), std::string::npos);
  const model::Study read = parse_document(text).study;
  EXPECT_TRUE(read.model.kind().learned_prior(read.model));
  EXPECT_EQ(to_document(parse_document(text)), text);
}

TEST(Document, HoldsNoFloatAndNoSpace) {
  for (const std::string& text : {to_document(smoking_release()), to_document(people_release())}) {
    EXPECT_EQ(text.find_first_of(" \t\r"), text.find("noise timing only") + 5);  // the one sentence in it
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    EXPECT_EQ(text.find("e+"), std::string::npos);
  }
}

TEST(Document, WritesLargeIntegersAndFractionsAsText) {
  const std::string text = to_document(people_release());
  EXPECT_NE(text.find("\"values\":[10,-3,0,412,\"9007199254740993\",\"-9007199254740993\",77,5]"),
            std::string::npos);
  EXPECT_NE(text.find("\"sigma2\":\"900\""), std::string::npos);
  EXPECT_NE(text.find("\"cost\":{\"rho\":\"1/200\"}"), std::string::npos);
}

TEST(Document, EscapesOnlyWhatJsonDemands) {
  Release release = smoking_release();
  model::Column column = testing::smoker();
  column.values = model::Categories{{"a\"\\/\x01\n\x7f", "grün"}};
  release.study.schema = model::Schema({column});
  const std::string text = to_document(release);
  EXPECT_NE(text.find("[\"a\\\"\\\\/\\u0001\\n\x7f\",\"grün\"]"), std::string::npos);
  EXPECT_EQ(to_document(parse_document(text)), text);
}

TEST(Document, StudyAndPlanNameWhatIsCharged) {
  const model::Study study = smoking_study();
  const auto plan = [&](const char* epsilon) {
    return model::make_noise_plan(study, model::Mechanism::laplace, Spend::parse(Currency::pure, epsilon));
  };
  const std::string text = plan_document(study, plan("0.1"));
  EXPECT_NE(text.find(to_hex(sha256(study_document(study)))), std::string::npos);
  EXPECT_EQ(text, plan_document(study, plan("0.1")));
  EXPECT_NE(text, plan_document(study, plan("0.2")));
  EXPECT_NE(study_document(study), study_document(people_study()));
}

TEST(Document, AMemberFromTheFutureIsKeptWhereItMayBeIgnored) {
  const std::string text = to_document(smoking_release());
  for (const std::string& newer :
       {replaced(text, "\"software\":{", "\"software\":{\"build\":[null,{\"x\":1}],"),
        replaced(text, "\"seq\":7", "\"seq\":7,\"witness\":\"abc\""),
        replaced(text, "\"version\":1", "\"version\":1,\"zone\":{\"a\":true}")}) {
    const Release read = parse_document(newer);
    EXPECT_FALSE(read.extensions.empty());
    EXPECT_EQ(to_document(read), newer);
  }
}

TEST(Document, LoadsAFileAndSaysWhatIsWrongWithAPath) {
  const std::string path = ::testing::TempDir() + "postern_document_test.json";
  std::ofstream(path) << to_document(smoking_release());
  EXPECT_EQ(to_document(load_release(path)), to_document(smoking_release()));
  EXPECT_REFUSAL(load_release(path + ".absent"), ErrorCode::input_missing);
  EXPECT_REFUSAL(load_release(::testing::TempDir()), ErrorCode::input_unreadable);
  std::ofstream(path, std::ios::trunc) << "";
  EXPECT_REFUSAL(load_release(path), ErrorCode::release_malformed);
}

}  // namespace
}  // namespace postern::release
