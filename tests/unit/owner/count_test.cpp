#include "postern/owner/count.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/statistic/fourier.hpp"
#include "postern/model/statistic/rank_scores.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/owner/measure.hpp"

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
    std::vector<std::vector<std::string>> wanted;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (std::size_t j = i + 1; j < levels.size(); ++j)
        wanted.push_back({sample.names[i], sample.names[j]});
    }
    const auto pairs = count_tables(sample.records, sample.schema, wanted, threads);
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

// One pass, whatever is asked for: tables that hold others, share columns, repeat, and one of sixteen
// columns.
TEST(CountTables, AgreesWithBruteForceOnRandomMixtures) {
  std::mt19937_64 random(7);
  for (int turn = 0; turn < 40; ++turn) {
    std::vector<std::uint32_t> levels(1 + random() % 16);
    for (std::uint32_t& level : levels)
      level = static_cast<std::uint32_t>(1 + random() % (turn % 4 == 0 ? 300 : 3));
    const Sample sample = make_sample(levels, 500);
    std::vector<std::vector<std::size_t>> sets;
    std::vector<std::vector<std::string>> wanted;
    for (std::size_t t = random() % 30; t-- > 0;) {
      std::vector<std::size_t>& set = sets.emplace_back();
      std::size_t cells = 1;
      for (std::size_t c = 0; c < levels.size(); ++c) {
        if (random() % 3 != 0 || cells * levels[c] > 100'000) continue;
        cells *= levels[c];
        set.push_back(c);
      }
      std::shuffle(set.begin(), set.end(), random);
      std::vector<std::string>& names = wanted.emplace_back();
      for (const std::size_t c : set) names.push_back(sample.names[c]);
    }
    const auto tables = count_tables(sample.records, sample.schema, wanted, 1 + turn % 3);
    ASSERT_EQ(tables.size(), sets.size());
    for (std::size_t t = 0; t < sets.size(); ++t)
      ASSERT_EQ(tables[t], brute_force(sample, sets[t])) << turn << " " << t;
  }
}

TEST(Count, ATableOfSixteenColumns) {
  const Sample sample = make_sample(std::vector<std::uint32_t>(16, 2), 5000);
  std::vector<std::size_t> all(16);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(count(sample, all, 2), brute_force(sample, all));
}

// What the kernels find is what the definition of each statistic adds up to, record by record.
TEST(Measure, AgreesWithTheDefinitionOfEveryStatistic) {
  const Sample sample = make_sample({2, 3, 40, 7}, 3000);
  const model::Transform root{model::Transform::Kind::power, Rational(1, 2)};
  const model::Measurement all{{{model::Table{{"c1", "c0"}}, {}, 6},
                                {model::LevelCount{"c3", 4}, {}, 1},
                                {model::RecordCount{}, {}, 1},
                                {model::LevelSum{"c2", {}, 1}, {}, 1},
                                {model::LevelSum{"c2", {}, 2}, {}, 1},
                                {model::LevelSum{"c2", {}, 1, true}, {}, 1},
                                {model::LevelSum{"c2", root, 2}, {}, 1},
                                {model::ProductSum{"c2", "c3"}, {}, 1},
                                {model::FourierCoefficients{{{"c0", "c1", "c3"}, {"c3", "c2"}}, 1}, {}, 1},
                                {model::RankScores{"c2", Rational(3, 10)}, {}, 1}}};
  const auto measured = measure(sample.records, sample.schema, all, 2);
  for (std::size_t b = 0; b < all.blocks.size(); ++b) {
    const model::Statistic& statistic = all.blocks[b].statistic;
    const auto tally = statistic.kind().tally(statistic, sample.schema);
    std::vector<std::size_t> places;
    for (const std::string& name : statistic.kind().columns(statistic)) places.push_back(name.back() - '0');
    std::vector<std::uint32_t> levels(places.size());
    for (std::size_t row = 0; row < 3000; ++row) {
      for (std::size_t c = 0; c < places.size(); ++c) levels[c] = sample.codes[places[c]][row];
      tally->add(levels, 1);
    }
    EXPECT_EQ(measured[b], tally->values()) << statistic.kind().text(statistic, sample.schema);
  }
}

TEST(Count, MeasuresStatistics) {
  const Sample sample = make_sample({2, 3}, 5000);
  const auto table = brute_force(sample, {0, 1});
  const model::Measurement both{{{model::Table{{"c0", "c1"}}, {}, 6}, {model::LevelCount{"c1", 2}, {}, 1}}};
  const auto measured = measure(sample.records, sample.schema, both, 2);
  EXPECT_EQ(measured.at(0), (std::vector<Int128>(table.begin(), table.end())));
  EXPECT_EQ(measured.at(1), std::vector<Int128>{Int128{brute_force(sample, {1})[2]}});
}

TEST(Count, RefusesAnotherStudysColumns) {
  const Sample sample = make_sample({2, 3}, 10);
  const Sample other = make_sample({2, 4}, 10);
  EXPECT_THROW((void)count_table(sample.records, other.schema, other.names, 1), Error);
}

}  // namespace
}  // namespace postern::owner
