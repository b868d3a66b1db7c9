#include "postern/release/record_set.hpp"

#include <gtest/gtest.h>

#include "postern/model/kinds/table.hpp"
#include "postern/model/study.hpp"

#include "change_model.hpp"
#include "refusal.hpp"
#include "releases.hpp"

namespace postern::release {
namespace {

using testing::smoking_release;
using testing::smoking_study;

Release variant(char id, const std::string& dataset, char record_set,
                const model::Study& base = smoking_study()) {
  model::Study study = base;
  study.dataset = dataset;
  std::vector<Int128> values(8, 3);
  Release release = testing::make_release(study, "0.5", values);
  release.release_id = std::string(32, id);
  release.ledger.record_set = std::string(32, record_set);
  return release;
}

TEST(RecordSet, OneGroupForTheSameRecords) {
  const std::vector<Release> releases{variant('1', "a", 'x'), variant('2', "a", 'x')};
  const auto groups = group_by_records(releases);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0], (RecordSet{&releases[0], &releases[1]}));
}

TEST(RecordSet, AGroupForEachDatasetInTheOrderGiven) {
  const std::vector<Release> releases{variant('1', "b", 'x'), variant('2', "a", 'y'), variant('3', "b", 'x')};
  const auto groups = group_by_records(releases);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0], (RecordSet{&releases[0], &releases[2]}));
  EXPECT_EQ(groups[1], (RecordSet{&releases[1]}));
  EXPECT_TRUE(group_by_records({}).empty());
}

void expect_conflict(const Release& a, const Release& b, Priors priors = Priors::must_agree) {
  const std::vector<Release> releases{a, b};
  EXPECT_REFUSAL(group_by_records(releases, priors), ErrorCode::releases_conflict);
}

TEST(RecordSet, RefusesRecordsThatChangedOrReleasesGivenTwice) {
  expect_conflict(variant('1', "a", 'x'), variant('2', "a", 'y'));
  expect_conflict(variant('1', "a", 'x'), variant('2', "b", 'x'));
  expect_conflict(variant('1', "a", 'x'), variant('1', "a", 'x'));
  expect_conflict(variant('1', "a", 'x'), variant('1', "b", 'y'));
}

TEST(RecordSet, RefusesOtherModelsCategoriesAndAdjacency) {
  model::Study study = smoking_study();
  study.model = model::Categorical{{"smoker"}, {1, 1}};
  expect_conflict(variant('1', "a", 'x'), variant('2', "b", 'y', study));

  study = smoking_study();
  model::change_model<model::Bernoulli>(study, [](model::Bernoulli& model) { model.success = 0; });
  expect_conflict(variant('1', "a", 'x'), variant('2', "b", 'y', study));

  study = smoking_study();
  model::Column column = testing::smoker();
  column.values = model::Categories{{"never", "yes"}};
  study.schema = model::Schema({column});
  expect_conflict(variant('1', "a", 'x'), variant('2', "b", 'y', study));

  study = smoking_study();
  study.privacy.adjacency = model::Adjacency::add_remove;
  study.privacy.n_at_most = 5000;
  expect_conflict(variant('1', "a", 'x'), variant('2', "b", 'y', study));
}

TEST(RecordSet, PriorsMayDifferOnlyIfTheAnalystStatesOne) {
  model::Study study = smoking_study();
  model::change_model<model::Bernoulli>(study, [](model::Bernoulli& model) { model.a = 7; });
  expect_conflict(variant('1', "a", 'x'), variant('2', "a", 'x', study));
  const std::vector<Release> releases{variant('1', "a", 'x'), variant('2', "a", 'x', study)};
  EXPECT_EQ(group_by_records(releases, Priors::may_differ).size(), 1u);
}

TEST(RecordSet, TheSameRecordsAreEncodedAndCountedAlike) {
  model::Study study = smoking_study();
  model::Column column = testing::smoker();
  column.missing = model::MapTo{1};
  study.schema = model::Schema({column});
  expect_conflict(variant('1', "a", 'x'), variant('2', "a", 'x', study));
  const std::vector<Release> apart{variant('1', "a", 'x'), variant('2', "b", 'y', study)};
  EXPECT_EQ(group_by_records(apart).size(), 2u);  // other people may be asked otherwise

  Release other = variant('2', "a", 'x');
  other.n = PublicCount{4999};
  expect_conflict(variant('1', "a", 'x'), other);
}

TEST(RecordSet, ReleasesThatChoseAmongPeoplesRecordsAreNotOfTheSameRecords) {
  model::Study study = smoking_study();
  study.privacy.adjacency = model::Adjacency::add_remove;
  study.privacy.unit = model::PersonUnit{"person_id", 3};
  study.privacy.n_at_most = 5000;
  std::vector<Release> releases{variant('1', "a", 'x', study), variant('2', "a", 'x', study)};
  for (Release& release : releases) release.n = PrivateCount{5000};
  expect_conflict(releases[0], releases[1]);
  releases[0].counted_by_caller = true;
  expect_conflict(releases[0], releases[1]);
  releases[1].counted_by_caller = true;
  EXPECT_EQ(group_by_records(releases).size(), 1u);
  releases = {variant('1', "a", 'x', study), variant('2', "b", 'y', study)};
  EXPECT_EQ(group_by_records(releases).size(), 2u);  // other people
}

}  // namespace
}  // namespace postern::release
