#include "postern/release/verify.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "postern/model/kinds/table.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study.hpp"
#include "postern/release/document.hpp"

#include "refusal.hpp"
#include "releases.hpp"

namespace postern::release {
namespace {

using testing::people_release;
using testing::replaced;
using testing::smoking_release;

/// Names of the checks that failed, in order.
std::string failures(const Release& release) {
  std::string out;
  for (const Check& check : verify(release)) {
    EXPECT_FALSE(check.detail.empty()) << check.name;
    if (!check.passed) out += (out.empty() ? "" : " ") + check.name;
  }
  return out;
}

std::string detail(const Release& release, const std::string& name) {
  const auto checks = verify(release);
  const auto found =
      std::find_if(checks.begin(), checks.end(), [&](const Check& c) { return c.name == name; });
  return found == checks.end() ? "" : found->detail;
}

TEST(Verify, AnHonestReleasePasses) {
  EXPECT_EQ(failures(smoking_release()), "");
  EXPECT_EQ(failures(people_release()), "");
  EXPECT_EQ(detail(smoking_release(), "cost"), "epsilon 0.1, as recomputed");
  EXPECT_EQ(detail(people_release(), "shape"), "table of smoker x age (8 cells), as recomputed");
  EXPECT_EQ(detail(smoking_release(), "shape"), "count of smoker = yes (1 cell), as recomputed");
}

TEST(Verify, CatchesACostThatIsNotThatOfTheNoise) {
  Release release = smoking_release();
  release.cost = Spend::parse(Currency::pure, "0.05");
  EXPECT_EQ(failures(parse_document(to_document(release))), "cost noise");
  EXPECT_EQ(detail(release, "cost"), "claimed epsilon 0.05, recomputed epsilon 0.1");
}

TEST(Verify, CatchesNoiseThatIsNotWhatWasPaid) {
  Release release = smoking_release();
  release.blocks[0].block.noise.parameter = Rational(1, 5);
  EXPECT_EQ(failures(parse_document(to_document(release))), "cost noise");
  release = people_release();
  release.blocks[0].block.noise.parameter =
      100;  // sigma2 forgets the three records of a person: 900 is right
  EXPECT_EQ(failures(parse_document(to_document(release))), "cost noise");
}

TEST(Verify, CatchesASensitivityThatIsNotTheStudys) {
  const std::string text = to_document(people_release());
  EXPECT_EQ(failures(parse_document(replaced(text, "{\"l2_squared\":\"9\"}", "{\"l2_squared\":\"1\"}"))),
            "sensitivity");
}

TEST(Verify, CatchesAnotherUnitOrAdjacencyThanTheNoiseWasMadeFor) {
  Release release = people_release();
  std::get<model::PersonUnit>(release.study.privacy.unit).at_most =
      1;  // claims less than was protected: no harm, but untrue
  EXPECT_EQ(failures(release), "cost noise");
  std::get<model::PersonUnit>(release.study.privacy.unit).at_most = 4;  // claims more
  EXPECT_EQ(failures(release), "cost noise");

  model::Study study = testing::smoking_study();
  study.model = model::Categorical{{"smoker"}, {1, 1}};
  release = testing::make_release(study, "1", {3, 4});
  EXPECT_EQ(failures(release), "");
  release.blocks[0].block.noise.parameter = 1;  // the add-remove answer to a replace-one question
  EXPECT_EQ(failures(parse_document(to_document(release))), "cost noise");
}

TEST(Verify, CatchesAnotherStatisticThanTheStudyAsksFor) {
  Release release = smoking_release();
  release.blocks[0].block.statistic = model::LevelCount{"smoker", 0};
  EXPECT_EQ(failures(parse_document(to_document(release))), "shape");
  release = people_release();
  release.blocks.push_back(release.blocks[0]);  // measured twice, paid once
  EXPECT_EQ(failures(parse_document(to_document(release))), "cost shape noise");
  release = people_release();
  release.blocks[0].values.pop_back();
  EXPECT_EQ(failures(release), "shape");
}

TEST(Verify, CatchesACountThatDoesNotFitTheAdjacency) {
  Release release = people_release();
  release.n = PublicCount{10};
  EXPECT_EQ(failures(release), "n");
  release.n = PrivateCount{10};
  EXPECT_EQ(failures(release), "n");
  release = smoking_release();
  release.n = PrivateCount{10};
  EXPECT_EQ(failures(release), "n");
}

TEST(Verify, FailsRatherThanThrowsOnAReleaseThatMakesNoSense) {
  Release release = smoking_release();
  release.blocks[0].block.statistic = model::LevelCount{"smoker", 9};
  EXPECT_NE(failures(release), "");
  release.blocks[0].block.statistic = model::Table{{"nobody"}};
  EXPECT_NE(failures(release), "");
  release = smoking_release();
  release.blocks[0].block.noise.kind = model::NoiseKind::discrete_gaussian;
  EXPECT_EQ(failures(release), "sensitivity cost noise");
  release = smoking_release();
  release.blocks.clear();
  EXPECT_NE(failures(release), "");
  release = smoking_release();
  release.study.name = "";
  EXPECT_EQ(failures(release), "study");
}

TEST(Verify, ShowsWhatItCannotCheck) {
  Release release = smoking_release();
  EXPECT_NE(detail(release, "signature").find("absent"), std::string::npos);
  EXPECT_EQ(detail(release, "members"), "all known to this version");
  const Release newer =
      parse_document(replaced(to_document(release), "\"seq\":7", "\"seq\":7,\"witness\":1"));
  EXPECT_NE(detail(newer, "members").find("{\"ledger\":{\"witness\":1}}"), std::string::npos);
  EXPECT_NE(detail(release, "counted-by").find("postern"), std::string::npos);
  release.counted_by_caller = true;
  EXPECT_NE(detail(release, "counted-by").find("caller"), std::string::npos);
  EXPECT_EQ(failures(release), "");
}

}  // namespace
}  // namespace postern::release
