#include "postern/core/number_text.hpp"

#include <gtest/gtest.h>

namespace postern {
namespace {

TEST(NumberText, IsExact) {
  EXPECT_EQ(parse_number("12"), Rational(12));
  EXPECT_EQ(parse_number("-0.125"), Rational(-1, 8));
  EXPECT_EQ(parse_number(".5"), Rational(1, 2));
  EXPECT_EQ(parse_number("-.5"), Rational(-1, 2));
  EXPECT_EQ(parse_number("1e-3"), Rational(1, 1000));
  EXPECT_EQ(parse_number("2.5E+3"), Rational(2500));
  EXPECT_EQ(parse_number("1e-18", 18), Rational(Integer(1), Integer("1000000000000000000")));
}

TEST(NumberText, HasAsManyDigitsAsADecimal) {
  for (const std::string_view text : {"1e-10", "0.5e-9", "1e30", "1e999", "1e9999", "0.0000000001"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  EXPECT_EQ(parse_number("1e9"), Rational(1'000'000'000));
}

TEST(NumberText, RefusesOtherText) {
  for (const std::string_view text : {"", "-", ".", "-.", "5.", "+1", "e3", "1e", "1e+", "1e1.5", "1e 3",
                                      "1_000", "0x10", "nan", "inf", " 1"})
    EXPECT_EQ(parse_number(text), std::nullopt) << "'" << text << "'";
}

}  // namespace
}  // namespace postern
