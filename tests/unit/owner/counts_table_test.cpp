#include "postern/owner/counts_table.hpp"

#include <set>

#include "postern/core/error.hpp"
#include "postern/model/statistic/table.hpp"

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

TEST(CountsTable, ValuesThatAreNotDeclaredFollowThePolicies) {
  const Counted counted = count(
      "smoker,age,count\n"
      "maybe,300,4\n"  // outside: no, clamped
      ",,3\n"          // missing: no, 18-29
      "\n"
      "yes,20, 6 \n");
  EXPECT_EQ(counted.total, 13);
  EXPECT_EQ(counted.table, (std::vector<Int128>{3, 0, 4, 6, 0, 0}));
}

TEST(CountsTable, TakesEverySpellingOfAWholeNumber) {
  const std::vector<std::pair<const char*, std::int64_t>> spellings = {
      {"0", 0},
      {"-0", 0},
      {"-0.0", 0},
      {"0e99999999999999999999", 0},
      {"007", 7},
      {"+3", 3},
      {"10.0", 10},
      {"10.", 10},
      {"1.000", 1},
      {"1e3", 1000},
      {"1E+05", 100'000},
      {"1.25e+02", 125},
      {"1200e-2", 12},
      {"\t 6 ", 6},
      {"\"1,000\"", 1000},
      {"\"1,234,567.00\"", 1'234'567},
      {"\"12,34,567\"", 1'234'567},
      {"1'000", 1000},
      {"1\u2019000", 1000},
      {"1 000", 1000},
      {"12\u00A0345", 12'345},
      {"12\u202F345\u202F678", 12'345'678},
      {"1000000000000", 1'000'000'000'000},
      {"1e12", 1'000'000'000'000},
  };
  for (const auto& [text, value] : spellings)
    EXPECT_EQ(count(std::string("smoker,age,count\nno,20,") + text + "\n").total, value) << text;
}

TEST(CountsTable, AFaultRefusesTheWholeFileAndNamesItAlone) {
  const std::vector<std::string> faults = {
      "-1",
      "1.5",
      "1e-1",
      "many",
      "",
      "NA",
      "nan",
      "inf",
      "1e",
      "e3",
      ".",
      "+",
      "--1",
      "0x10",
      "1.0.0",
      "\"1,00\"",
      "\"10,0\"",
      "\"1,0000\"",
      "\"1000,000\"",
      "1'0",
      "1 0",
      "\"1,000'000\"",
      "1000000000001",
      "1e13",
      "1e99999999",
      "\"1,000\"x",
      "5\n\"yes,20,9",
      "5\nyes",
      "5\nyes,\xFF,1",
      "5\nyes,20,1,1",
      "999999999999\nyes,20,2",
  };
  std::set<std::string> sentences;
  for (const std::string& fault : faults) {
    const TemporaryFile file("smoker,age,count\nno,20,77\nyes,20," + fault + "\n");
    CountsTable table(file.path(), smoking(), {"smoker", "age"});
    try {
      table.read();
      ADD_FAILURE() << fault;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input_unreadable) << fault;
      std::string text = error.what();
      text.erase(text.find(file.path()), file.path().size());
      sentences.insert(text);
    }
  }
  EXPECT_EQ(sentences.size(), 1U);  // which fault, and where, is not told
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
  EXPECT_EQ(code("smoker;age;count\n"), ErrorCode::no_header);
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

constexpr const char* kLongForm =
    "block,smoker,age,count\n"
    "smoker,no,,8\n"
    "smoker,yes,,7\n"
    "age,,20,5\n"
    "age,ignored,70,10\n"
    "\"age, smoker\",no,20,5\n"
    "\"smoker,age\",no,70,3\n"
    "\"smoker,age\",yes,99,7\n";

TEST(CountsTable, InLongFormHoldsATableForEachBlock) {
  const TemporaryFile file(kLongForm);
  CountsTable table(file.path(), smoking(), {"smoker", "age"});
  table.read();
  EXPECT_EQ(table.total(), 15);
  EXPECT_EQ(table.measure(model::Table{{"age"}}), (std::vector<Int128>{5, 0, 10}));
  EXPECT_EQ(table.measure(model::Table{{"age", "smoker"}}), (std::vector<Int128>{5, 0, 0, 0, 3, 7}));
  EXPECT_EQ(table.measure(model::LevelCount{"smoker", 1}), std::vector<Int128>{7});
  EXPECT_EQ(table.measure(model::RecordCount{}), std::vector<Int128>{15});
  EXPECT_NO_THROW(table.check_counted({"age", "smoker"}));
}

TEST(CountsTable, InLongFormMissesABlockBeforeTheCharge) {
  const TemporaryFile file("smoker,block,age,count\nno,smoker,,8\n,age,20,8\n");
  CountsTable table(file.path(), smoking(), {"smoker", "age"});
  table.read();
  EXPECT_NO_THROW(table.check_counted({"age"}));
  EXPECT_NO_THROW(table.check_counted({}));
  EXPECT_THROW(table.check_counted({"age", "smoker"}), Error);
}

TEST(CountsTable, InLongFormNobodyIsNobodyInEveryBlock) {
  const TemporaryFile file("block,smoker,age,count\n");
  CountsTable table(file.path(), smoking(), {"smoker", "age"});
  table.read();
  EXPECT_NO_THROW(table.check_counted({"age", "smoker"}));
  EXPECT_EQ(table.measure(model::Table{{"age"}}), (std::vector<Int128>{0, 0, 0}));
}

TEST(CountsTable, InLongFormEveryFaultIsOneSentence) {
  std::set<std::string> sentences;
  for (const char* rows : {"smoker,no,,8\nage,,20,7\n", "other,no,20,8\n", ",no,20,8\n",
                           "\"smoker,smoker\",no,20,8\n", "\"smoker,\",no,20,8\n", "smoker,no,,x\n"}) {
    const TemporaryFile file(std::string("block,smoker,age,count\n") + rows);
    CountsTable table(file.path(), smoking(), {"smoker", "age"});
    try {
      table.read();
      ADD_FAILURE() << rows;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input_unreadable);
      std::string said = error.what();
      said.replace(said.find(file.path()), file.path().size(), "F");
      sentences.insert(said);
    }
  }
  EXPECT_EQ(sentences.size(), 1u);
}

TEST(CountsTable, InLongFormNoColumnDropsRecords) {
  const TemporaryFile file(kLongForm);
  model::Column age = smoking().at("age");
  age.outside = model::Drop{};
  const model::Schema dropping({smoking().at("smoker"), age});
  EXPECT_THROW(CountsTable(file.path(), dropping, {"smoker", "age"}), Error);
}

}  // namespace
}  // namespace postern::owner
