// The reason that Encoder::diagnose gives, against the level that Encoder::encode gives.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/model/encode.hpp"

namespace postern::model {
namespace {

/// Columns whose missing, below and above fields each have a level that no other field has: 0, or the ends.
std::vector<Column> told_apart() {
  std::vector<Column> columns;
  for (const Policy& missing : {Policy(MapTo{0}), Policy(Drop{})}) {
    for (const Policy& outside : {Policy(MapTo{1}), Policy(Drop{})}) {
      columns.push_back({"c", Categories{{"-", "+", "no", "yes", "é", "a label of more than sixteen bytes"}},
                         missing, outside, true});
      columns.push_back({"i", IntegerRange{-2, 150, {}}, missing, outside, true});
      columns.push_back({"k", IntegerRange{0, 150, {18, 40, 65}}, missing, outside, true});
      columns.push_back({"r", RealRange{-1, 20, Rational("1/10"), {}}, missing, outside, true});
    }
  }
  return columns;
}

std::string random_field(std::mt19937_64& random) {
  static const std::vector<std::string> pieces = {
      "no",   "yes", "é",   "NO",  " ", "\t", "1",
      "2",    "18",  ".",   "5",   "-", "+",  "e",
      "E2",   "nan", "inf", "NaN", "x", ",",  "a label of more than sixteen bytes",
      "\xFF", "0",   "150"};
  std::string field;
  for (std::size_t count = random() % 4; count > 0; --count) field += pieces[random() % pieces.size()];
  return field;
}

TEST(Diagnose, AgreesWithTheEncoderOnEveryField) {
  std::mt19937_64 random(20261120);
  for (const Column& column : told_apart()) {
    const Encoder encoder(column);
    const auto follow = [](const Policy& policy) {
      const auto* map = std::get_if<MapTo>(&policy);
      return map == nullptr ? kDropped : map->level;
    };
    for (int i = 0; i < 20'000; ++i) {
      const std::string field = random_field(random);
      const Diagnosis diagnosis = encoder.diagnose(Field(field));
      ASSERT_EQ(diagnosis.level, encoder.encode(Field(field))) << field;
      switch (diagnosis.kind) {
        case FieldKind::declared:
          ASSERT_LT(diagnosis.level, encoder.levels()) << field;
          break;
        case FieldKind::missing:
        case FieldKind::unreadable:
          ASSERT_EQ(diagnosis.level, follow(column.missing)) << field;
          break;
        case FieldKind::below:
        case FieldKind::above:
        case FieldKind::undeclared:
          ASSERT_EQ(diagnosis.level, follow(column.outside)) << field;
          break;
      }
      if (column.name == "c" && diagnosis.kind == FieldKind::declared) {
        ASSERT_NE(field.find(column.label(diagnosis.level)), std::string::npos) << field;
      }
    }
  }
}

FieldKind kind(const Column& column, const char* field) {
  return Encoder(column).diagnose(Field(field)).kind;
}

TEST(Diagnose, TellsTheKindsApart) {
  const Column category{"c", Categories{{"no", "yes"}}, MapTo{0}, MapTo{0}, true};
  EXPECT_EQ(kind(category, " yes "), FieldKind::declared);
  EXPECT_EQ(kind(category, " "), FieldKind::missing);
  EXPECT_EQ(kind(category, "Yes"), FieldKind::undeclared);
  EXPECT_EQ(kind(category, "nan"), FieldKind::undeclared);
  const Column whole{"i", IntegerRange{0, 9, {}}, MapTo{0}, Clamp{}, true};
  EXPECT_EQ(kind(whole, "9.0"), FieldKind::declared);
  EXPECT_EQ(kind(whole, "-1"), FieldKind::below);
  EXPECT_EQ(kind(whole, "10"), FieldKind::above);
  EXPECT_EQ(kind(whole, "-inf"), FieldKind::below);
  EXPECT_EQ(kind(whole, "9.5"), FieldKind::unreadable);
  EXPECT_EQ(kind(whole, "NaN"), FieldKind::missing);
  EXPECT_EQ(kind(whole, ""), FieldKind::missing);
  EXPECT_EQ(kind(whole, "nine"), FieldKind::unreadable);
}

}  // namespace
}  // namespace postern::model
