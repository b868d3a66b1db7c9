#include "postern/owner/count.hpp"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

/// Records with the given numbers of levels; columns are named c0, c1, ...
struct Sample {
  model::Schema schema;
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> codes;
  Records records;
};

Sample make_sample(const std::vector<std::uint32_t>& levels, std::size_t rows, bool constant = false) {
  std::mt19937_64 random(5);
  std::vector<model::Column> declared;
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> codes;
  std::vector<CodedColumn> columns;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    names.push_back("c" + std::to_string(c));
    declared.push_back(
        {names.back(), model::IntegerRange{0, levels[c] - 1, {}}, model::MapTo{0}, model::Clamp{}, true});
    CodedColumn column = make_coded_column(levels[c]);
    std::vector<std::uint32_t> plain(rows);
    for (auto& code : plain)
      code = constant ? levels[c] - 1 : static_cast<std::uint32_t>(random() % levels[c]);
    std::visit(
        [&](auto& out) {
          using Level = typename std::decay_t<decltype(out)>::value_type;
          for (const std::uint32_t code : plain) out.push_back(static_cast<Level>(code));
        },
        column);
    columns.push_back(std::move(column));
    codes.push_back(std::move(plain));
  }
  return {model::Schema(declared), names, codes, Records(names, levels, std::move(columns), rows)};
}

std::vector<std::int64_t> brute_force(const Sample& sample, const std::vector<std::size_t>& columns) {
  std::vector<std::string> names;
  for (const std::size_t c : columns) names.push_back(sample.names[c]);
  const graph::Domain domain = sample.schema.domain(names);
  std::vector<std::int64_t> counts(domain.cells());
  for (std::size_t row = 0; row < sample.records.rows(); ++row) {
    std::size_t cell = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      cell = cell * domain.sizes()[k] + sample.codes[columns[k]][row];
    }
    ++counts[cell];
  }
  return counts;
}

std::vector<std::int64_t> count(const Sample& sample, const std::vector<std::size_t>& columns, int threads) {
  std::vector<std::string> names;
  for (const std::size_t c : columns) names.push_back(sample.names[c]);
  return count_table(sample.records, sample.schema, names, threads);
}

TEST(Count, TablesOfOneToThreeColumns) {
  const Sample sample = make_sample({2, 5, 256, 300, 1, 70000}, 140'000);
  const std::vector<std::vector<std::size_t>> sets = {{0},       {2},       {3},    {4},      {5},
                                                      {0, 1},    {1, 0},    {2, 1}, {2, 3},   {0, 1, 2},
                                                      {2, 1, 0}, {0, 3, 1}, {5, 0}, {4, 0, 1}};
  for (const auto& set : sets) {
    const auto expected = brute_force(sample, set);
    EXPECT_EQ(count(sample, set, 1), expected);
    EXPECT_EQ(count(sample, set, 3), expected);
  }
}

TEST(Count, ACellMayHoldEveryRecord) {
  // Past what 16-bit counters hold, in tables of both sizes.
  const Sample sample = make_sample({2, 3, 100, 200}, 600'001, true);
  EXPECT_EQ(count(sample, {0}, 1), (std::vector<std::int64_t>{0, 600'001}));
  EXPECT_EQ(count(sample, {0, 1}, 1).back(), 600'001);
  const auto large = count(sample, {2, 3}, 1);
  EXPECT_EQ(large.back(), 600'001);
  EXPECT_EQ(std::accumulate(large.begin(), large.end(), std::int64_t{0}), 600'001);
}

TEST(Count, NoRecords) {
  const Sample sample = make_sample({2, 3}, 0);
  EXPECT_EQ(count(sample, {0, 1}, 4), std::vector<std::int64_t>(6, 0));
}

void expect_pairs(const std::vector<std::uint32_t>& levels, std::size_t rows) {
  const Sample sample = make_sample(levels, rows);
  for (const int threads : {1, 4}) {
    const auto pairs = count_pairs(sample.records, sample.schema, sample.names, threads);
    std::size_t at = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (std::size_t j = i + 1; j < levels.size(); ++j) {
        ASSERT_EQ(pairs.at(at++), brute_force(sample, {i, j})) << i << " " << j;
      }
    }
    EXPECT_EQ(pairs.size(), at);
  }
}

TEST(CountPairs, AgreesWithBruteForce) {
  expect_pairs({9, 16, 7, 15, 6, 5, 2, 42, 85, 16, 100, 100, 99, 2}, 10'000);  // Adult's
  expect_pairs({2, 3, 2}, 1000);                                               // one group
  expect_pairs({2, 3, 300, 2}, 1000);  // a group met only by a large column
  expect_pairs({1000, 129, 128, 1, 1, 257}, 5000);
  expect_pairs({4}, 10);
}

TEST(Count, MeasuresStatistics) {
  const Sample sample = make_sample({2, 3}, 5000);
  const auto table = brute_force(sample, {0, 1});
  EXPECT_EQ(measure(sample.records, sample.schema, model::Table{{"c0", "c1"}}, 2),
            (std::vector<Int128>(table.begin(), table.end())));
  EXPECT_EQ(measure(sample.records, sample.schema, model::LevelCount{"c1", 2}, 1),
            std::vector<Int128>{Int128{brute_force(sample, {1})[2]}});
}

TEST(Count, RefusesAnotherStudysColumns) {
  const Sample sample = make_sample({2, 3}, 10);
  const Sample other = make_sample({2, 4}, 10);
  EXPECT_THROW((void)count_table(sample.records, other.schema, other.names, 1), Error);
}

}  // namespace
}  // namespace postern::owner
