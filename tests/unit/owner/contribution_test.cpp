#include "postern/owner/contribution.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "people_support.hpp"

namespace postern::owner {
namespace {

/// The records of a person with so many at each level.
std::vector<OwnedRecord> person(const std::string& id, const std::vector<int>& at_level) {
  std::vector<OwnedRecord> out;
  for (std::size_t level = 0; level < at_level.size(); ++level) {
    for (int i = 0; i < at_level[level]; ++i) out.push_back({id, static_cast<std::uint8_t>(level)});
  }
  return out;
}

std::int64_t distance(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

/// All ways to give a person 0..most records at each of some levels.
std::vector<std::vector<int>> all_people(std::size_t levels, int most) {
  std::vector<std::vector<int>> out{{}};
  for (std::size_t level = 0; level < levels; ++level) {
    std::vector<std::vector<int>> longer;
    for (const auto& shorter : out) {
      for (int count = 0; count <= most; ++count) {
        longer.push_back(shorter);
        longer.back().push_back(count);
      }
    }
    out = std::move(longer);
  }
  return out;
}

using Counts = std::vector<std::int64_t>;

Counts sum_of(const std::vector<Counts>& all, std::size_t levels, std::size_t but = ~std::size_t{0}) {
  Counts sum(levels, 0);
  for (std::size_t p = 0; p < all.size(); ++p) {
    for (std::size_t level = 0; p != but && level < levels; ++level) sum[level] += all[p][level];
  }
  return sum;
}

/// Some people in all their small variants, in a shuffled file: what is kept is the sum of what is kept of
/// each person alone, so a file without one of them differs by at most k records.
void expect_one_person_changes_k_at_most(std::size_t people, std::size_t levels, int most, std::int64_t k) {
  const ContributionBound bound = seeded_bound(k, 40 + static_cast<std::uint64_t>(k));
  std::mt19937_64 random(5);
  const auto variants = all_people(levels, most);
  std::size_t files = 1;
  for (std::size_t p = 0; p < people; ++p) files *= variants.size();
  for (std::size_t file = 0; file < files; ++file) {
    std::vector<OwnedRecord> records;
    std::vector<Counts> alone;
    for (std::size_t p = 0, code = file; p < people; ++p, code /= variants.size()) {
      const auto own = person("person " + std::to_string(p), variants[code % variants.size()]);
      records.insert(records.end(), own.begin(), own.end());
      alone.push_back(counts_of(keep(own, bound), levels));
      const auto rows = static_cast<std::int64_t>(own.size());
      ASSERT_EQ(std::accumulate(alone[p].begin(), alone[p].end(), std::int64_t{0}), std::min(rows, k));
    }
    std::shuffle(records.begin(), records.end(), random);
    const Counts counts = counts_of(keep(records, bound), levels);
    ASSERT_EQ(counts, sum_of(alone, levels));
    for (std::size_t p = 0; p < people; ++p) {
      std::vector<OwnedRecord> others;
      std::copy_if(records.begin(), records.end(), std::back_inserter(others),
                   [&](const OwnedRecord& record) { return record.id != "person " + std::to_string(p); });
      const Counts without = counts_of(keep(others, bound), levels);
      ASSERT_EQ(without, sum_of(alone, levels, p));
      ASSERT_LE(distance(counts, without), k);
    }
  }
}

TEST(Contribution, RemovingAPersonChangesAtMostKRecords) {
  for (const std::int64_t k : {1, 2, 3}) {
    expect_one_person_changes_k_at_most(2, 2, 5, k);
    expect_one_person_changes_k_at_most(3, 2, 2, k);
    expect_one_person_changes_k_at_most(2, 3, 2, k);
  }
}

TEST(Contribution, CopiesCount) {
  EXPECT_EQ(keep(person("ann", {5}), seeded_bound(3)), (std::vector<std::uint8_t>{0, 0, 0}));
  EXPECT_EQ(keep(person("ann", {3}), seeded_bound(3)), (std::vector<std::uint8_t>{0, 0, 0}));
  EXPECT_EQ(keep(person("ann", {2}), seeded_bound(3)), (std::vector<std::uint8_t>{0, 0}));
  // Five copies and one other: the others' place among them is either before or behind all copies.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto counts = counts_of(keep(person("ann", {5, 1}), seeded_bound(3, seed)), 2);
    EXPECT_TRUE(counts == (std::vector<std::int64_t>{3, 0}) || counts == (std::vector<std::int64_t>{2, 1}));
  }
}

TEST(Contribution, RowsOfNobodyAreDropped) {
  const std::vector<OwnedRecord> records = {{"", 0}, {"ann", 1}, {" \t", 2}, {"", 3}, {"bob", 4}, {"", 5}};
  EXPECT_EQ(keep(records, seeded_bound(1)), (std::vector<std::uint8_t>{1, 4}));
  EXPECT_EQ(keep({{"", 0}}, seeded_bound(1)), std::vector<std::uint8_t>{});
  EXPECT_EQ(keep({}, seeded_bound(1)), std::vector<std::uint8_t>{});
}

TEST(Contribution, IdsAreBytesWithoutTheBlanksAround) {
  const ContributionBound bound = seeded_bound(1);
  const std::vector<std::string> same = {"a7", " a7", "a7\t", " \ta7 \t"};
  const std::vector<std::string> other = {"A7", "a 7", "a07", "a7.0", "7", std::string("a7\0", 3)};
  const auto digests = digests_of(same, bound);
  for (const PersonDigest& digest : digests) EXPECT_EQ(digest, digests[0]);
  for (const PersonDigest& digest : digests_of(other, bound)) EXPECT_NE(digest, digests[0]);
  EXPECT_NE(digests_of(same, seeded_bound(1, 2))[0], digests[0]);
}

TEST(Contribution, AnOrderOfTheFileChangesNothing) {
  std::mt19937_64 random(6);
  std::vector<OwnedRecord> records;
  for (int i = 0; i < 300; ++i) {
    records.push_back({std::to_string(random() % 40), static_cast<std::uint8_t>(random() % 6)});
  }
  for (const std::int64_t k : {1, 2, 5}) {
    const ContributionBound bound = seeded_bound(k, 9);
    const auto counts = counts_of(keep(records, bound), 6);
    for (int round = 0; round < 30; ++round) {
      std::shuffle(records.begin(), records.end(), random);
      ASSERT_EQ(counts_of(keep(records, bound), 6), counts);
    }
  }
}

/// Columns of three widths, and more rows than one thread passes over at a time.
struct LargeTable {
  std::vector<CodedColumn> columns;
  std::vector<std::string> ids;
};
LargeTable large_table() {
  constexpr std::size_t kRows = 1'100'000;
  std::mt19937_64 random(7);
  Wiped<std::uint8_t> narrow;
  Wiped<std::uint16_t> middle;
  Wiped<std::uint32_t> wide;
  LargeTable out;
  for (std::size_t i = 0; i < kRows; ++i) {
    narrow.push_back(static_cast<std::uint8_t>(random() % 4));
    middle.push_back(static_cast<std::uint16_t>(random() % 3));
    wide.push_back(static_cast<std::uint32_t>(i));
    out.ids.push_back(i % 11 == 0 ? "" : std::to_string(random() % (i % 2 == 0 ? 50 : 300'000)));
  }
  out.columns.emplace_back(std::move(narrow));
  out.columns.emplace_back(std::move(middle));
  out.columns.emplace_back(std::move(wide));
  return out;
}

TEST(Contribution, AnyNumberOfThreadsKeepsTheSameRows) {
  const LargeTable table = large_table();
  const ContributionBound bound = seeded_bound(3);
  const Wiped<PersonDigest> people = digests_of(table.ids, bound);
  std::vector<CodedColumn> one = table.columns;
  const std::size_t rows = bound_contributions(one, people, bound, 1);
  std::vector<CodedColumn> four = table.columns;
  EXPECT_EQ(bound_contributions(four, people, bound, 4), rows);
  EXPECT_TRUE(one == four);
  // The last column says which rows they were.
  std::map<std::string, std::size_t> had;
  std::map<std::string, std::size_t> has;
  for (const std::string& id : table.ids) ++had[id];
  std::size_t next = 0;
  for (const std::uint32_t row : std::get<Wiped<std::uint32_t>>(one[2])) {
    ++has[table.ids[row]];
    ASSERT_EQ(std::get<Wiped<std::uint8_t>>(one[0])[next++],
              std::get<Wiped<std::uint8_t>>(table.columns[0])[row]);
  }
  had.erase("");
  EXPECT_EQ(had.size(), has.size());
  for (const auto& [id, count] : had) ASSERT_EQ(has[id], std::min<std::size_t>(count, 3)) << id;
}

TEST(Contribution, KeepsEachRecordOfAPersonEquallyOften) {
  constexpr int kKeys = 4000;
  std::vector<std::int64_t> first(4, 0);
  for (int seed = 0; seed < kKeys; ++seed) {
    ++first[keep(person("ann", {1, 1, 1, 1}), seeded_bound(1, static_cast<std::uint64_t>(seed)))[0]];
  }
  double chi_square = 0;
  for (const std::int64_t count : first) {
    const double excess = static_cast<double>(count) - kKeys / 4.0;
    chi_square += excess * excess / (kKeys / 4.0);
  }
  EXPECT_LT(chi_square, 30.66);  // alpha = 1e-6 on three degrees of freedom
}

TEST(Contribution, OnlyAPersonAsUnitHasABound) {
  EXPECT_FALSE(contribution_bound(model::RecordUnit{}));
  const auto bound = contribution_bound(model::PersonUnit{"person_id", 3});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->column, "person_id");
  EXPECT_EQ(bound->at_most, 3);
  // Every run has its own key.
  const auto other = contribution_bound(model::PersonUnit{"person_id", 3});
  EXPECT_NE(digests_of({"ann"}, *bound)[0], digests_of({"ann"}, *other)[0]);
}

TEST(Contribution, ColumnsMustFitTheIds) {
  const ContributionBound bound = seeded_bound(1);
  std::vector<CodedColumn> columns;
  columns.emplace_back(Wiped<std::uint8_t>{0, 1, 2});
  EXPECT_THROW((void)bound_contributions(columns, digests_of({"a", "b"}, bound), bound, 1), Error);
}

}  // namespace
}  // namespace postern::owner
