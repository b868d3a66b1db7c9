#include "postern/core/rational.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace postern {
namespace {

Rational fraction(std::int64_t top, std::int64_t bottom) {
  Rational value{Integer(top), Integer(bottom)};
  value.canonicalize();
  return value;
}

TEST(Rational, ParsesDecimals) {
  EXPECT_EQ(parse_decimal("12"), Rational(12));
  EXPECT_EQ(parse_decimal("-0.125"), Rational(-1, 8));
  EXPECT_EQ(parse_decimal("0.100"), Rational(1, 10));
  EXPECT_EQ(parse_decimal("0.12", 2), Rational(3, 25));
  for (const std::string_view text :
       {"", "-", ".", "-.5", "5.", ".5", "+1", "1e3", "1_000", "0x10", "nan", " 1", "1 ", "--1", "1.2.3"}) {
    EXPECT_EQ(parse_decimal(text), std::nullopt) << "'" << text << "'";
  }
  EXPECT_EQ(parse_decimal("0.123", 2), std::nullopt);
  EXPECT_EQ(parse_decimal(std::string(31, '1')), std::nullopt);
}

TEST(Rational, ParsesCanonicalFractionsOnly) {
  EXPECT_EQ(parse_fraction("37/1000"), Rational(37, 1000));
  EXPECT_EQ(parse_fraction("-5"), Rational(-5));
  EXPECT_EQ(parse_fraction("0"), Rational(0));
  EXPECT_EQ(parse_fraction(std::string(60, '9')), Rational(std::string(60, '9')));
  for (const std::string_view text : {"", "/", "1/", "/2", "2/4", "5/1", "1/0", "1/-2", "0/7", "-0", "007",
                                      "1/02", "+1", "1.5", "1//2", "1/2/3", "1 /2"}) {
    EXPECT_EQ(parse_fraction(text), std::nullopt) << "'" << text << "'";
  }
  EXPECT_EQ(parse_fraction(std::string(61, '9')), std::nullopt);
  EXPECT_EQ(parse_fraction(std::string("1/").append(61, '9')), std::nullopt);
}

TEST(Rational, WritesDecimalsWhereTheyAreExact) {
  EXPECT_EQ(to_decimal(Rational(1, 8)), "0.125");
  EXPECT_EQ(to_decimal(Rational(-1, 8)), "-0.125");
  EXPECT_EQ(to_decimal(Rational(100)), "100");
  EXPECT_EQ(to_decimal(Rational(0)), "0");
  EXPECT_EQ(to_decimal(Rational(1, 3)), "1/3");
  EXPECT_EQ(to_decimal(Rational(1, 8), 2), "1/8");
  EXPECT_EQ(to_decimal(Rational(3), 0), "3");
}

TEST(Rational, FloorsAndCeils) {
  EXPECT_EQ(floor(Rational(-1, 2)), -1);
  EXPECT_EQ(ceil(Rational(-1, 2)), 0);
  EXPECT_EQ(floor(Rational(7, 2)), 3);
  EXPECT_EQ(ceil(Rational(7, 2)), 4);
  EXPECT_EQ(floor(Rational(4)), 4);
  EXPECT_EQ(ceil(Rational(4)), 4);
}

TEST(Rational, FractionsRoundTrip) {
  EXPECT_TRUE(rc::check("parse_fraction inverts to_fraction", [](std::int64_t top, std::uint32_t bottom) {
    const Rational value = fraction(top, std::int64_t{bottom} + 1);
    RC_ASSERT(parse_fraction(to_fraction(value)) == value);
  }));
}

TEST(Rational, DecimalsRoundTrip) {
  EXPECT_TRUE(rc::check("parse_decimal inverts to_decimal of nano-units", [](std::int64_t nano) {
    const Rational value = fraction(nano, 1'000'000'000);
    RC_ASSERT(parse_decimal(to_decimal(value)) == value);
  }));
}

TEST(Rational, ParsersAcceptOnlyWhatTheyWouldWrite) {
  EXPECT_TRUE(rc::check("any accepted fraction is its own canonical text", [] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0012/-. +")));
    if (const auto value = parse_fraction(text)) RC_ASSERT(to_fraction(*value) == text);
  }));
}

}  // namespace
}  // namespace postern
