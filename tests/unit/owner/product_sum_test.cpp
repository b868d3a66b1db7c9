#include <random>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/owner/counts_table.hpp"
#include "postern/owner/measure.hpp"

#include "csv_support.hpp"
#include "vector_studies.hpp"

// Sums of products, from records and from counts, exactly.

namespace postern::owner {
namespace {

struct Sample {
  model::Schema schema;
  std::vector<std::vector<std::uint32_t>> codes;
  Records records;
};

Sample make_sample(const model::Box& box, std::size_t rows, bool at_the_end = false) {
  std::mt19937_64 random(7);
  Sample sample{model::box_schema(box), {}, Records({}, {}, {}, rows)};
  std::vector<std::string> names;
  std::vector<std::uint32_t> levels;
  std::vector<CodedColumn> columns;
  for (const model::Column& column : sample.schema.columns()) {
    names.push_back(column.name);
    levels.push_back(column.levels());
    std::vector<std::uint32_t> plain(rows);
    for (auto& code : plain)
      code = at_the_end ? levels.back() - 1 : static_cast<std::uint32_t>(random() % levels.back());
    columns.push_back(make_coded_column(levels.back()));
    std::visit(
        [&](auto& out) {
          using Level = typename std::decay_t<decltype(out)>::value_type;
          for (const std::uint32_t code : plain) out.push_back(static_cast<Level>(code));
        },
        columns.back());
    sample.codes.push_back(std::move(plain));
  }
  sample.records = Records(names, levels, std::move(columns), rows);
  return sample;
}

Int128 by_definition(const Sample& sample, std::size_t first, std::size_t second) {
  const auto a = model::level_values(sample.schema.columns()[first], {}).adds;
  const auto b = model::level_values(sample.schema.columns()[second], {}).adds;
  Int128 sum = 0;
  for (std::size_t row = 0; row < sample.records.rows(); ++row)
    sum += Int128{a[sample.codes[first][row]]} * b[sample.codes[second][row]];
  return sum;
}

std::vector<Int128> measure_one(const Records& records, const model::Schema& schema,
                                const model::Statistic& statistic, int threads) {
  return measure(records, schema, {{{statistic, {}, 1}}}, threads).front();
}

// Columns of one, two and four bytes, negative and positive.
TEST(ProductSum, EqualsItsDefinitionForAnyThreads) {
  const Sample sample = make_sample({{-3, 3}, {-500, 700}, {-90'000, 20'000}, {5, 90}}, 150'000);
  const std::string names[] = {"a", "b", "c", "d"};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      if (i == j) continue;
      const model::ProductSum product{names[i], names[j]};
      const std::vector<Int128> expected{by_definition(sample, i, j)};
      EXPECT_EQ(measure_one(sample.records, sample.schema, product, 1), expected);
      EXPECT_EQ(measure_one(sample.records, sample.schema, product, 4), expected);
    }
  }
}

// 2^20 levels each: the sum of three million products passes 2^60, where 64 bits would soon be full.
TEST(ProductSum, IsExactWhereEveryRecordIsAtTheEnd) {
  const std::size_t rows = 3'000'000;
  const Sample sample = make_sample({{0, 1'048'575}, {0, 1'048'575}}, rows, true);
  const Int128 most = 1'048'575;
  EXPECT_EQ(measure_one(sample.records, sample.schema, model::ProductSum{"a", "b"}, 2),
            std::vector<Int128>{most * most * static_cast<Int128>(rows)});
}

TEST(ProductSum, OfNoRecordsIsZero) {
  const Sample sample = make_sample({{0, 3}, {-1, 1}}, 0);
  EXPECT_EQ(measure_one(sample.records, sample.schema, model::ProductSum{"a", "b"}, 0),
            std::vector<Int128>{0});
}

TEST(ProductSum, FromCounts) {
  const TemporaryFile file("a,b,count\n-2,3,5\n2,-1,7\n99,2,1\n1,1,0\n2,-1,1\n");
  CountsTable table(file.path(), model::box_schema({{-3, 3}, {-4, 4}}), {"a", "b"});
  table.read();
  EXPECT_EQ(table.measure(model::ProductSum{"a", "b"}), std::vector<Int128>{-6 * 5 - 2 * 8 + 3 * 2});
  EXPECT_EQ(table.measure(model::ProductSum{"b", "a"}), std::vector<Int128>{-40});
}

// The largest total there may be, at the ends of the widest columns.
TEST(ProductSum, FromTheMostCounts) {
  const TemporaryFile file("a,b,count\n1048575,1048575,999999999999\n1048575,1048575,1\n");
  CountsTable table(file.path(), model::box_schema({{0, 1'048'575}, {0, 1'048'575}}), {"a", "b"});
  table.read();
  const Int128 most = Int128{1'048'575} * 1'048'575;
  EXPECT_EQ(table.measure(model::ProductSum{"a", "b"})[0], most * 1'000'000'000'000);
}

}  // namespace
}  // namespace postern::owner
