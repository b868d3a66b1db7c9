#include "postern/model/column.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {
namespace {

TEST(Column, LabelsItsLevels) {
  Column column;
  column.name = "age";
  column.values = IntegerRange{18, 99, {30, 31, 99}};
  ASSERT_EQ(column.levels(), 4u);
  EXPECT_EQ(column.label(0), "18-29");
  EXPECT_EQ(column.label(1), "30");
  EXPECT_EQ(column.label(2), "31-98");
  EXPECT_EQ(column.label(3), "99");
  EXPECT_EQ(column.find_level("31-98"), 2u);
  EXPECT_FALSE(column.find_level("31"));

  column.values = IntegerRange{-2, 2, {}};
  ASSERT_EQ(column.levels(), 5u);
  EXPECT_EQ(column.label(0), "-2");

  column.values = RealRange{Rational(0), Rational(1), Rational(1, 4), {}};
  ASSERT_EQ(column.levels(), 5u);
  EXPECT_EQ(column.label(3), "0.75");

  column.values = RealRange{Rational(0), Rational(1), Rational(1, 4), {Rational(1, 2)}};
  ASSERT_EQ(column.levels(), 2u);
  EXPECT_EQ(column.label(0), "[0,0.5)");
  EXPECT_EQ(column.label(1), "[0.5,1]");
}

TEST(Column, RefusesTooManyLevels) {
  Column column;
  column.name = "id";
  column.values = IntegerRange{0, 1 << 20, {}};
  EXPECT_THROW(check_column(column), Error);
  column.values = IntegerRange{1, 1 << 20, {}};
  EXPECT_NO_THROW(check_column(column));
  column.values = RealRange{Rational(0), Rational(1), Rational(1, 1'000'000'000), {}};
  EXPECT_THROW(check_column(column), Error);
}

TEST(Column, ClampsOnlyNumbers) {
  Column column;
  column.name = "x";
  column.values = Categories{{"a", "b"}};
  column.outside = Clamp{};
  EXPECT_THROW(check_column(column), Error);
  column.outside = MapTo{2};
  EXPECT_THROW(check_column(column), Error);
  column.outside = MapTo{1};
  EXPECT_NO_THROW(check_column(column));
}

TEST(Column, ComparesNumbersAsNumbers) {
  Column column;
  column.name = "x";
  column.values = RealRange{Rational(-1), Rational(1), Rational(1, 10), {}};
  for (const char* same : {"-0.3", "-0.300", "-.3", "-3e-1"}) EXPECT_EQ(column.find_level(same), 7U) << same;
  EXPECT_EQ(column.find_level("0"), 10U);
  EXPECT_EQ(column.find_level("-0.0"), 10U);
  for (const char* none : {"-0.35", "-1.1", "1.1", "x", "", "1e99"})
    EXPECT_FALSE(column.find_level(none)) << none;
  for (std::uint32_t level = 0; level < column.levels(); ++level)
    EXPECT_EQ(column.find_level(column.label(level)), level);
  column.values = IntegerRange{-5, 5, {}};
  EXPECT_EQ(column.find_level("-05"), 0U);
  EXPECT_EQ(column.find_level("2.0"), 7U);
  EXPECT_FALSE(column.find_level("2.5"));
  // With cuts a level is an interval, and has its label.
  column.values = RealRange{Rational(0), Rational(1), Rational(1, 10), {Rational(1, 2)}};
  EXPECT_EQ(column.find_level("[0,0.5)"), 0U);
  EXPECT_FALSE(column.find_level("0.2"));
}

TEST(Schema, NamesTheNearestColumn) {
  const std::vector<std::string> names = {"smoker", "age", "cancer"};
  EXPECT_EQ(nearest_name("smokre", names), "smoker");
  EXPECT_EQ(nearest_name("agge", names), "age");
  EXPECT_EQ(nearest_name("AGE", names), "age");
  EXPECT_FALSE(nearest_name("completely-different", names));
  // Two letters may differ, however long the word is.
  const std::vector<std::string> longer = {"expected_records"};
  EXPECT_EQ(nearest_name("expected_record", longer), "expected_records");
  EXPECT_EQ(nearest_name("expectd_record", longer), "expected_records");
  EXPECT_FALSE(nearest_name("expctd_record", longer));
  // A word of which little is left when it is corrected was not meant.
  EXPECT_FALSE(nearest_name("sex", names));
  EXPECT_FALSE(nearest_name("ap", names));
  EXPECT_FALSE(nearest_name("x", std::vector<std::string>{"y", "n"}));
  EXPECT_FALSE(nearest_name("id", std::vector<std::string>{"no", "yes"}));
}

}  // namespace
}  // namespace postern::model
