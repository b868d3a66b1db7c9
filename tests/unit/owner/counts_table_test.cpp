#include "postern/owner/counts_table.hpp"

#include "postern/core/error.hpp"

#include "csv_support.hpp"

namespace postern::owner {
namespace {

model::Schema smoking() {
  return model::Schema({
      {"smoker", model::Categories{{"no", "yes"}}, model::MapTo{0}, model::MapTo{0}, true},
      {"age", model::IntegerRange{18, 99, {30, 60}}, model::MapTo{0}, model::Clamp{}, true},
      {"other", model::Categories{{"x"}}, model::MapTo{0}, model::MapTo{0}, true},
  });
}

struct Counted {
  std::int64_t total = 0;
  std::vector<Int128> table;
};
Counted count(const std::string& content) {
  const TemporaryFile file(content);
  CountsTable table(file.path(), smoking(), {"smoker", "age"});
  table.read();
  return {table.total(), table.measure(model::Table{{"smoker", "age"}})};
}

TEST(CountsTable, AddsUpCells) {
  const Counted counted = count("smoker,age,count\nno,20,5\nyes,40,7\nno,20,1\nyes,99,2\n");
  EXPECT_EQ(counted.total, 15);
  EXPECT_EQ(counted.table, (std::vector<Int128>{6, 0, 0, 0, 7, 2}));
}

TEST(CountsTable, ColumnsMayStandInAnyOrder) {
  const Counted counted = count("extra,age,smoker,count\nq,\"40\",\"yes\",\"7\"\r\n");
  EXPECT_EQ(counted.table, (std::vector<Int128>{0, 0, 0, 0, 7, 0}));
}

TEST(CountsTable, MarginalsAndLevels) {
  const TemporaryFile file("smoker,age,count\nno,20,5\nyes,40,7\nno,70,1\n");
  CountsTable table(file.path(), smoking(), {"smoker", "age"});
  table.read();
  EXPECT_EQ(table.measure(model::Table{{"age"}}), (std::vector<Int128>{5, 7, 1}));
  EXPECT_EQ(table.measure(model::Table{{"age", "smoker"}}), (std::vector<Int128>{5, 0, 0, 7, 1, 0}));
  EXPECT_EQ(table.measure(model::LevelCount{"smoker", 0}), std::vector<Int128>{6});
  EXPECT_THROW((void)table.measure(model::Table{{"other"}}), Error);
}

TEST(CountsTable, RowsThatCannotBeUsedFollowThePolicies) {
  const Counted counted = count(
      "smoker,age,count\n"
      "maybe,300,4\n"  // outside: no, clamped
      ",,3\n"          // missing: no, 18-29
      "yes,20,-1\n"    // not a count
      "yes,20,1.5\n"
      "yes,20,many\n"
      "yes,20,\n"
      "yes,20\n"  // not a row
      "yes,\"20,9\n"
      "\n"
      "yes,\xFF,1\n"
      "yes,20, 6 \n");
  EXPECT_EQ(counted.total, 13);
  EXPECT_EQ(counted.table, (std::vector<Int128>{3, 0, 4, 6, 0, 0}));
}

TEST(CountsTable, CountsStopBeforeTheyOverflow) {
  constexpr std::int64_t kMost = (std::int64_t{1} << 62) - 1;
  const Counted one = count("smoker,age,count\nno,20,99999999999999999999999999\n");
  EXPECT_EQ(one.total, kMost);
  const Counted two = count("smoker,age,count\nno,20,4611686018427387903\nno,20,4611686018427387903\n");
  EXPECT_EQ(two.total, kMost);
  EXPECT_EQ(two.table[0], Int128{kMost});
}

TEST(CountsTable, DroppedRowsDoNotCount) {
  const model::Schema schema({{"a", model::Categories{{"x", "y"}}, model::Drop{}, model::Drop{}, true}});
  const TemporaryFile file("a,count\nx,5\nz,7\n,2\ny,1\n");
  CountsTable table(file.path(), schema, {"a"});
  table.read();
  EXPECT_EQ(table.total(), 6);
  EXPECT_EQ(table.measure(model::Table{{"a"}}), (std::vector<Int128>{5, 1}));
}

TEST(CountsTable, HeaderMustFit) {
  const auto code = [](const std::string& content) {
    const TemporaryFile file(content);
    try {
      CountsTable table(file.path(), smoking(), {"smoker", "age"});
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::usage;
  };
  EXPECT_EQ(code("smoker,age\nno,20\n"), ErrorCode::column_absent);
  EXPECT_EQ(code("count,smoker,age\n5,no,20\n"), ErrorCode::column_absent);
  EXPECT_EQ(code("smoker,count\n"), ErrorCode::column_absent);
  EXPECT_EQ(code("smoker,age,age,count\n"), ErrorCode::column_repeated);
  EXPECT_EQ(code(""), ErrorCode::no_header);
  EXPECT_EQ(code("smoker,age,count\n"), ErrorCode::usage);
}

TEST(CountsTable, AColumnOfTheModelMayBeNamedCount) {
  const model::Schema schema(
      {{"count", model::Categories{{"x", "y"}}, model::MapTo{0}, model::MapTo{0}, true}});
  const TemporaryFile file("count,count\ny,3\n");
  CountsTable table(file.path(), schema, {"count"});
  table.read();
  EXPECT_EQ(table.measure(model::Table{{"count"}}), (std::vector<Int128>{0, 3}));
}

}  // namespace
}  // namespace postern::owner
