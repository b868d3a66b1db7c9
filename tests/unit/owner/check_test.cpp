// The words of the look: mistakes that are named, values that are told, and what a terminal is spared.
#include <set>

#include "postern/core/error.hpp"

#include "check_support.hpp"

namespace postern::owner {
namespace {

using model::FieldKind;
using Named = std::vector<std::pair<std::string, std::int64_t>>;

model::Column answer() {
  return {"answer", model::Categories{{"no", "yes", "1", "New York"}}, model::MapTo{0}, model::MapTo{0},
          true};
}
model::Column age() { return {"age", model::IntegerRange{0, 99, {}}, model::MapTo{0}, model::Clamp{}, true}; }
model::Column income() {
  return {"income", model::RealRange{0, 100, Rational("1/2"), {}}, model::MapTo{0}, model::Clamp{}, true};
}

/// What is said of one field of a column, written in quotes as CSV.
Named said_of(const model::Column& column, const std::string& field) {
  const RecordsCheck check =
      check_content(column.name + ",other\n" + field + ",1\n", study_of(model::Schema({column})));
  EXPECT_EQ(check.records, 1);
  return names_in(check.columns.at(0).remarks);
}

TEST(Check, NamesMistakesInCategories) {
  const std::pair<const char*, const char*> cases[] = {
      {"Yes", "wrong-case"},           {"NEW YORK", "wrong-case"},   {"yes\xC2\xA0", "odd-blank"},
      {"\xEF\xBB\xBFno", "odd-blank"}, {" \"yes\"", "stray-quotes"}, {"1.0", "other-spelling"},
      {"+01", "other-spelling"},       {"NA", "missing-word"},       {"n/a", "missing-word"},
      {" yes", "space-around"},        {"yes\t", "space-around"},
  };
  for (const auto& [field, name] : cases) EXPECT_EQ(said_of(answer(), field), (Named{{name, 1}})) << field;
  for (const char* field : {"yes", "", "  ", "maybe", "10", "1.5", "2020-01-01"})
    EXPECT_EQ(said_of(answer(), field), Named()) << field;
}

TEST(Check, NamesMistakesInNumbers) {
  const std::pair<const char*, const char*> cases[] = {
      {"2026-07-01", "date"},
      {"1.7.2026", "date"},
      {"7/1/26", "date"},
      {"2026-07-01T12:00", "date"},
      {"\"3,5\"", "decimal-comma"},
      {"\"1,000\"", "decimal-comma"},
      {"\"1.000,5\"", "decimal-comma"},
      {"12 kg", "unit"},
      {"5%", "unit"},
      {"$3", "unit"},
      {"NULL", "missing-word"},
      {"?", "missing-word"},
      {"12\xC2\xA0", "odd-blank"},
      {" \"12\"", "stray-quotes"},
      {" 12", "space-around"},
  };
  for (const model::Column& column : {age(), income()}) {
    for (const auto& [field, name] : cases) EXPECT_EQ(said_of(column, field), (Named{{name, 1}})) << field;
    for (const char* field : {"12", "", "nan", "1e9", "-5", "inf", "word", "1-2"})
      EXPECT_EQ(said_of(column, field), Named()) << field;
  }
  EXPECT_EQ(said_of(age(), "12.5"), (Named{{"fraction", 1}}));
  EXPECT_EQ(said_of(age(), "1.25e1"), (Named{{"fraction", 1}}));
  EXPECT_EQ(said_of(income(), "12.5"), Named());
}

TEST(Check, NamesMistakesInLines) {
  const std::string content = "answer,age\nyes,30\n\nno,caf\xE9\n\"yes,30\nyes;30\nyes,3,5\nyes\nno,\0\n" +
                              std::string("no,4\0\n", 6);
  const RecordsCheck check = check_content(content, study_of(model::Schema({answer(), age()})));
  EXPECT_EQ(names_in(check.lines), (Named{{"empty-line", 1},
                                          {"not-utf8", 1},
                                          {"open-quote", 1},
                                          {"semicolons", 1},
                                          {"too-many-fields", 1},
                                          {"too-few-fields", 1},
                                          {"no-text", 1}}));
  EXPECT_EQ(check.columns[0].count(FieldKind::unreadable), 7);
}

TEST(Check, CountsFieldsByKind) {
  const RecordsCheck check = check_content("answer,age\nyes,30\nno,\n,nan\nmaybe,-1\nmaybe,100\nyes,word\n",
                                           study_of(model::Schema({answer(), age()})));
  EXPECT_EQ(check.columns[0].fields, (std::array<std::int64_t, 6>{3, 1, 0, 0, 2, 0}));
  EXPECT_EQ(check.columns[1].fields, (std::array<std::int64_t, 6>{1, 2, 1, 1, 0, 1}));
  EXPECT_EQ(check.columns[0].missing_as, "count as \"no\"");
  EXPECT_EQ(check.columns[1].outside_as, "count as the nearest bound");
}

TEST(Check, TellsAnUndeclaredValueOnlyIfTwentyRecordsHaveIt) {
  const std::string rare = repeated("maybe\n", 19);
  const std::string common = repeated(" Yes\n", 20);
  const RecordsCheck check = check_content("answer\n" + rare + common, study_of(model::Schema({answer()})));
  const ColumnCheck& column = check.columns[0];
  ASSERT_EQ(column.values.size(), 1u);
  EXPECT_EQ(column.values[0].value, "Yes");
  EXPECT_EQ(column.values[0].records, 20);
  EXPECT_EQ(column.values[0].meant, "yes");
  EXPECT_EQ(column.rare, 19);
  const std::string text = check_text(check);
  EXPECT_EQ(text.find("maybe"), std::string::npos);
  EXPECT_NE(text.find("declare what can occur, not what you saw"), std::string::npos);
}

TEST(Check, TellsItOnlyIfTwentyPeopleHaveItWhereTheUnitIsAPerson) {
  std::string content = "id,answer\n" + repeated("ann,maybe\n", 100) + repeated(",nobody\n", 100);
  for (int i = 0; i < 20; ++i) content += "p" + std::to_string(i) + ",perhaps\n";
  const RecordsCheck check = check_content(content, study_of(model::Schema({answer()}), 3));
  ASSERT_EQ(check.columns[0].values.size(), 1u);
  EXPECT_EQ(check.columns[0].values[0].value, "perhaps");
  EXPECT_EQ(check.columns[0].rare, 200);
}

TEST(Check, GivesUpOnTooManyValuesAndSaysSo) {
  std::string content = "answer\n";
  for (std::size_t i = 0; i < kMostValues; ++i) content += "v" + std::to_string(i) + "\n";
  const model::Study study = study_of(model::Schema({answer()}));
  EXPECT_FALSE(check_content(content, study).columns[0].gave_up);
  const RecordsCheck check = check_content(content + repeated("late\n", 50) + repeated("v7\n", 30), study);
  const ColumnCheck& column = check.columns[0];
  EXPECT_TRUE(column.gave_up);
  ASSERT_EQ(column.values.size(), 1u);
  EXPECT_EQ(column.values[0].value, "v7");
  EXPECT_EQ(column.count(FieldKind::undeclared), static_cast<std::int64_t>(kMostValues) + 80);
  EXPECT_NE(check_text(check).find("more than 10,000 different"), std::string::npos);
}

TEST(Check, KeepsNoValueThatIsTooLongToBeDeclared) {
  const std::string content = "answer\n" + repeated(std::string(257, 'x') + "\n", 30);
  const ColumnCheck column = check_content(content, study_of(model::Schema({answer()}))).columns[0];
  EXPECT_TRUE(column.values.empty());
  EXPECT_EQ(column.rare, 30);
}

TEST(Check, ShowsNoMoreValuesThanAScreenHolds) {
  std::string content = "answer\n";
  for (int i = 0; i < 50; ++i) content += repeated("value" + std::to_string(i) + "\n", 20);
  const RecordsCheck check = check_content(content, study_of(model::Schema({answer()})));
  EXPECT_EQ(check.columns[0].values.size(), 50u);
  EXPECT_NE(check_text(check).find("and 20 more values"), std::string::npos);
}

TEST(Check, SparesTheTerminal) {
  const std::string content = "answer\n" + repeated("\x1B[2J\xE2\x80\xAE\xC2\x9B\n", 20);
  const std::string text = check_text(check_content(content, study_of(model::Schema({answer()}))));
  EXPECT_NE(text.find("\"\\u{1b}[2J\\u{202e}\\u{9b}\""), std::string::npos);
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
  EXPECT_TRUE(text.starts_with("FOR THE EYES OF THE OWNER OF THE RECORDS ALONE."));
}

TEST(Check, RefusesFaultsOfTheWholeFile) {
  const model::Study study = study_of(model::Schema({answer(), age()}));
  const auto refusal = [&](const std::string& content) -> std::pair<ErrorCode, std::string> {
    try {
      (void)check_content(content, study);
    } catch (const Error& error) {
      return {error.code(), error.what()};
    }
    return {ErrorCode::usage, ""};
  };
  EXPECT_EQ(refusal("").first, ErrorCode::no_header);
  EXPECT_EQ(refusal("yes,30\n").first, ErrorCode::no_header);
  EXPECT_EQ(refusal("answer\nyes\n").first, ErrorCode::column_absent);
  EXPECT_EQ(refusal("answer,age,age\nyes,1,1\n").first, ErrorCode::column_repeated);
  EXPECT_EQ(refusal("answer;age\nyes;30\n").first, ErrorCode::no_header);
  EXPECT_NE(refusal("answer; age\nyes;30\n").second.find("--delimiter ;"), std::string::npos);
  EXPECT_NE(refusal("answer\tage\nyes\t30\n").second.find("--delimiter tab"), std::string::npos);
}

}  // namespace
}  // namespace postern::owner
