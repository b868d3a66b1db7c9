// What the look says of records is what a release makes of them.
#include <random>

#include "postern/model/kinds/table.hpp"
#include "postern/model/study.hpp"

#include "check_support.hpp"
#include "people_support.hpp"

namespace postern::owner {
namespace {

using model::FieldKind;

/// Lines of pieces that make good, odd and broken records. The levels that stand for missing and outside in
/// two_columns are in none of them.
std::string random_content(std::mt19937_64& random, const std::string& header, int lines) {
  static const std::vector<std::string> pieces = {
      "x",   "y",   "é",    "X",           "\"p,q\"", "\"u\"\"v\"", "\"",      ",",         ",",     ",",
      " ",   "\t",  "1",    "2",           "9",       "-",          "+",       "1.0",       "e1",    "nan",
      "10",  "inf", "\xFF", "\xC3",        "3,5",     ";",          "\r",      "NA",        "1e999", "0.5",
      "x,1", "y,2", "é,3",  "\"x\",\"4\"", "x,1,ann", "y,2,ann",    "x,3,bob", "y,1, ann ", ",,"};
  std::string content = header;
  for (int i = 0; i < lines; ++i) {
    const std::size_t count = random() % 6;
    for (std::size_t k = 0; k < count; ++k) content += pieces[random() % pieces.size()];
    if (random() % 40 == 0) content += std::string(1, '\0');
    content += random() % 3 == 0 ? "\r\n" : "\n";
  }
  return content;
}

TEST(CheckAgrees, WithTheLevelsThatAReleaseReads) {
  std::mt19937_64 random(20261118);
  const model::Schema schema = two_columns();
  for (int round = 0; round < 60; ++round) {
    const std::string content = random_content(random, "a,b\n", 200);
    const Rows rows = read_rows(content, schema);
    const RecordsCheck check = check_content(content, study_of(schema));
    ASSERT_EQ(check.records, static_cast<std::int64_t>(rows.size()));
    ASSERT_EQ(check.kept, check.records);
    constexpr std::uint32_t kStandIns[][2] = {{5, 6}, {7, 8}};  // of missing and outside
    for (std::size_t c = 0; c < 2; ++c) {
      std::int64_t missing = 0;
      std::int64_t outside = 0;
      for (const auto& row : rows) {
        missing += row[c] == kStandIns[c][0] ? 1 : 0;
        outside += row[c] == kStandIns[c][1] ? 1 : 0;
      }
      const ColumnCheck& column = check.columns[c];
      EXPECT_EQ(column.count(FieldKind::missing) + column.count(FieldKind::unreadable), missing);
      EXPECT_EQ(column.count(FieldKind::below) + column.count(FieldKind::above) +
                    column.count(FieldKind::undeclared),
                outside);
      EXPECT_EQ(column.count(FieldKind::declared), check.records - missing - outside);
    }
  }
}

TEST(CheckAgrees, WithTheRecordsThatAreKept) {
  std::mt19937_64 random(20261119);
  for (const model::Policy missing : {model::Policy(model::Drop{}), model::Policy(model::MapTo{1})}) {
    for (const model::Policy outside : {model::Policy(model::Drop{}), model::Policy(model::MapTo{1})}) {
      const model::Schema schema({
          {"a", model::Categories{{"x", "y", "é"}}, missing, outside, true},
          {"b", model::IntegerRange{0, 9, {}}, missing, outside, true},
      });
      for (int round = 0; round < 20; ++round) {
        const std::string content = random_content(random, "a,b,id\n", 300);
        const std::int64_t at_most = 1 + static_cast<std::int64_t>(random() % 20);
        const TemporaryFile file(content);
        const auto people = CsvFile(file.path(), schema, {"a", "b"}, seeded_bound(at_most)).read(1).rows();
        EXPECT_EQ(check_content(content, study_of(schema, at_most)).kept, static_cast<std::int64_t>(people));
        const auto records = CsvFile(file.path(), schema, {"a", "b"}).read(1).rows();
        EXPECT_EQ(check_content(content, study_of(schema)).kept, static_cast<std::int64_t>(records));
      }
    }
  }
}

TEST(CheckAgrees, ThatOnlyColumnsOfTheModelDrop) {
  const model::Schema schema({
      {"a", model::Categories{{"x", "y"}}, model::Drop{}, model::Drop{}, true},
      {"b", model::IntegerRange{0, 9, {}}, model::Drop{}, model::Drop{}, true},
  });
  model::Study study = study_of(schema);
  study.model = model::Categorical{{"b"}, {}};
  const RecordsCheck check = check_content("a,b\n,1\nz,2\nx,\nx,99\nx,3\n", study);
  EXPECT_EQ(check.dropped, 2);
  EXPECT_EQ(check.kept, 3);
  EXPECT_FALSE(check.columns[0].used);
  EXPECT_TRUE(check.columns[1].used);
}

TEST(CheckAgrees, OnPeople) {
  const model::Study study = study_of(two_columns(), 2);
  const RecordsCheck check = check_content(
      "id,a,b\nann,x,1\n ann ,x,1\n\"ann\",x,1\nbob,y,2\nBob,y,2\n,x,1\n  ,x,1\nbroken\n", study);
  ASSERT_TRUE(check.people);
  EXPECT_EQ(check.records, 8);
  EXPECT_EQ(check.people->people, 3);
  EXPECT_EQ(check.people->with_more, 1);
  EXPECT_EQ(check.people->at_most, 2);
  EXPECT_EQ(check.people->without_id, 3);
  EXPECT_EQ(check.kept, 4);
}

}  // namespace
}  // namespace postern::owner
