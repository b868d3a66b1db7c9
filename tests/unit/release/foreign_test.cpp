// Documents of releases made elsewhere: canonical, read back whole, and never taken for ours.
#include "postern/release/foreign.hpp"

#include <string>

#include <gtest/gtest.h>

#include "postern/model/study_file.hpp"
#include "postern/release/document.hpp"
#include "postern/release/record_set.hpp"
#include "postern/release/verify.hpp"

#include "refusal.hpp"

namespace postern::release {
namespace {

const std::string kText =
    "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nadjacency = \"add-remove\"\nn = { at_most = 90 "
    "}\n[columns.smoker]\ncategories = [\"no\", \"yes\"]\n[model]\nkind = \"family\"\nfamily = "
    "\"categorical\"\ncolumn = \"smoker\"\nprior = { dirichlet = 1 }\n[foreign]\nmade_by = \"Tumult\"\n"
    "RECORDS\n[[foreign.measured]]\nwhat = \"table\"\ncolumns = [\"smoker\"]\nnoise = \"laplace\"\nscale = "
    "2.5\nthreshold = 4\nvalues = [\"absent\", 41.53]\n";

Release declared(const std::string& records = "") {
  model::ForeignRelease read = model::parse_foreign(testing::replaced(kText, "RECORDS", records), "f.toml");
  return foreign_release(std::move(read.study), std::move(read.foreign));
}

TEST(ForeignDocument, IsReadBackWhole) {
  const Release release = declared("record_set = \"wave 1\"");
  const std::string text = to_document(release);
  const Release again = parse_any_document(text);
  EXPECT_EQ(to_document(again), text);
  EXPECT_EQ(again.release_id, release.release_id);
  ASSERT_TRUE(again.foreign.has_value());
  EXPECT_EQ(again.ledger.record_set, "wave 1");
  EXPECT_EQ(again.foreign->blocks[0].values[1], Rational(4153, 100));
  EXPECT_EQ(std::get<PrivateCount>(again.n).at_most, 90);
  EXPECT_NE(text.find("\"verified\":false"), std::string::npos);
}

TEST(ForeignDocument, IsNeverTakenForOurs) {
  const Release release = declared();
  EXPECT_REFUSAL(parse_document(to_document(release)), ErrorCode::release_malformed);
  EXPECT_FALSE(all_passed(verify(release)));
}

TEST(ForeignDocument, IsRefusedWhenEdited) {
  const std::string text = to_document(declared());
  EXPECT_REFUSAL(parse_any_document(testing::replaced(text, "4153/100", "4253/100")),
                 ErrorCode::release_inconsistent);
  EXPECT_REFUSAL(parse_any_document(testing::replaced(text, "\"verified\":false", "\"verified\":true")),
                 ErrorCode::release_malformed);
  EXPECT_REFUSAL(parse_any_document(testing::replaced(text, "\"scale\":\"5/2\"", "\"scale\":\"0\"")),
                 ErrorCode::release_inconsistent);
  EXPECT_REFUSAL(parse_any_document(testing::replaced(text, "\"kind\":\"laplace\"", "\"kind\":\"levy\"")),
                 ErrorCode::release_malformed);
}

TEST(ForeignRelease, WithoutARecordSetIsCombinedWithNoOther) {
  Release other = declared("record_set = \"wave 1\"");
  other.study.dataset = "e";
  EXPECT_REFUSAL(group_by_records(std::vector<Release>{declared(), other}), ErrorCode::releases_conflict);
  EXPECT_REFUSAL(group_by_records(std::vector<Release>{other, declared()}), ErrorCode::releases_conflict);
  EXPECT_EQ(group_by_records(std::vector<Release>{declared()}).size(), 1u);
}

TEST(ForeignRelease, OfTheSameRecordsSharesThem) {
  const Release first = declared("record_set = \"wave 1\"");
  Release second = first;
  second.release_id = std::string(32, 'a');
  const std::vector<Release> both{first, second};
  EXPECT_EQ(group_by_records(both).size(), 1u);
  EXPECT_REFUSAL(group_by_records(std::vector<Release>{first, first}), ErrorCode::releases_conflict);
}

TEST(ForeignRelease, SaysWhatItClaims) {
  const std::string claim = unverified_claim(declared());
  for (const char* word : {"laplace noise of scale 2.5", "table of smoker", "Tumult", "not verified by us"})
    EXPECT_NE(claim.find(word), std::string::npos) << claim;
}

}  // namespace
}  // namespace postern::release
