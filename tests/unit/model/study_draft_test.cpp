#include "postern/model/study_draft.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/study.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

TEST(StudyDraft, IsNamedAfterItsRecords) {
  EXPECT_EQ(draft_name("/data/my survey.csv"), "my-survey");
  EXPECT_EQ(draft_name("survey.csv.gz"), "survey");
  EXPECT_EQ(draft_name("survey.2026.csv.zst"), "survey.2026");
  EXPECT_EQ(draft_name("tables/"), "tables");
  for (const char* none : {"", "-"}) EXPECT_EQ(draft_name(none), "survey");
  EXPECT_EQ(draft_name(std::string(300, 'x')).size(), 100U);
}

TEST(StudyDraft, DeclaresEachColumnByItsKind) {
  using Kind = DraftColumn::Kind;
  const std::string text = draft_study("s", {{"a b", Kind::text},
                                             {"age", Kind::whole},
                                             {"income", Kind::real},
                                             {"smoker", Kind::boolean},
                                             {"day", Kind::other}});
  for (const char* part :
       {"[columns.\"a b\"]\ncategories = [\"\", \"unknown\"]", "[columns.age]\ninteger = []",
        "[columns.income]\nreal = []",
        "[columns.smoker]\ncategories = [\"false\", \"true\", \"unknown\"]\nmissing    = \"unknown\"",
        "[columns.day]\n# Its type is neither", "column = \"a b\"", "# All families: "})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(StudyDraft, IsOfVersionTwoAndItsPriorsAreLearned) {
  const std::string text = draft_study("s", {{"smoker", DraftColumn::Kind::boolean}});
  EXPECT_NE(text.find("\nversion = 2\n"), std::string::npos);
  EXPECT_EQ(text.find("\nprior  = {"), std::string::npos);
  const Study study = parse_study(text, "draft");
  EXPECT_TRUE(study.model.kind().learned_prior(study.model));
}

TEST(StudyDraft, RefusesTwoColumnsOfOneName) {
  try {
    (void)draft_study("s", {{"a"}, {"b"}, {"a"}});
    FAIL() << "drafted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::column_repeated);
  }
}

}  // namespace
}  // namespace postern::model
