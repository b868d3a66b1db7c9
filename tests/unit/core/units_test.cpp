#include "postern/core/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "postern/core/error.hpp"

namespace postern {
namespace {

ErrorCode refusal(std::string_view text) {
  try {
    (void)Spend::parse(Currency::pure, text);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(Spend, TenTimesATenthIsOne) {
  const Spend tenth = Spend::parse(Currency::pure, "0.1");
  std::int64_t total = 0;
  for (int i = 0; i < 10; ++i) total += tenth.nano();
  EXPECT_EQ(Spend(Currency::pure, total), Spend::parse(Currency::pure, "1"));
  EXPECT_EQ(tenth.exact(), Rational(1, 10));
  EXPECT_EQ(tenth.text(), "0.1");
}

TEST(Spend, Accepts) {
  EXPECT_EQ(Spend::parse(Currency::zcdp, "0.000000001").nano(), 1);
  EXPECT_EQ(Spend::parse(Currency::zcdp, "10").nano(), 10'000'000'000);
  EXPECT_EQ(Spend::parse(Currency::zcdp, "1.50").text(), "1.5");
  EXPECT_EQ(Spend::parse(Currency::zcdp, "999999999.999999999").nano(), 999'999'999'999'999'999);
}

TEST(Spend, ReadsDecimalsAsPeopleWriteThem) {
  for (const char* half : {".5", "0.5", "5e-1", "5E-01", ".05e+1", "0.005e2"})
    EXPECT_EQ(Spend::parse(Currency::pure, half).nano(), 500'000'000) << half;
  EXPECT_EQ(Spend::parse(Currency::pure, "1e-3").text(), "0.001");
  EXPECT_EQ(Spend::parse(Currency::pure, "1e-9").nano(), 1);
  EXPECT_EQ(Spend::parse(Currency::pure, "1e3").nano(), 1'000'000'000'000);
}

TEST(Spend, Refuses) {
  for (const std::string_view text : {"",
                                      " ",
                                      ".",
                                      "e",
                                      "e3",
                                      "1e",
                                      "1e+",
                                      "1e1.5",
                                      "1e-10",
                                      "1e9",
                                      "1e1000",
                                      "1e999",
                                      "1e-999",
                                      "1e 3",
                                      "0e3",
                                      ".5.",
                                      "5.",
                                      "+1",
                                      "-1",
                                      "-0.5",
                                      "0",
                                      "0.0",
                                      "0.000000000",
                                      "nan",
                                      "inf",
                                      "0x1",
                                      "1,5",
                                      "1 ",
                                      " 1",
                                      "1.0.0",
                                      "1/2",
                                      "0.1234567891",
                                      "0.0000000001",
                                      "9223372037",
                                      "9300000000",
                                      "99999999999999999999999999999999"}) {
    EXPECT_EQ(refusal(text), ErrorCode::bad_budget) << "'" << text << "'";
  }
  EXPECT_EQ(refusal(std::string_view("1\0", 2)), ErrorCode::bad_budget);
}

TEST(Spend, CostsRoundUpAndBudgetsDown) {
  const Rational third(1, 3);
  EXPECT_EQ(Spend::ceil(Currency::pure, third).nano(), 333'333'334);
  EXPECT_EQ(Spend::floor(Currency::pure, third).nano(), 333'333'333);
  EXPECT_EQ(Spend::ceil(Currency::pure, Rational(1, 2)).nano(), 500'000'000);
  EXPECT_EQ(Spend::floor(Currency::pure, Rational(1, 2)).nano(), 500'000'000);
}

TEST(Spend, RefusesWhatDoesNotFit) {
  const Rational largest("9223372036854775807/1000000000");
  EXPECT_EQ(Spend::ceil(Currency::pure, largest).nano(), 9'223'372'036'854'775'807);
  EXPECT_THROW((void)Spend::ceil(Currency::pure, largest + Rational(1, 1'000'000'000'000)), Error);
  EXPECT_THROW((void)Spend::floor(Currency::pure, Rational("1000000000000000000000000000000")), Error);
}

TEST(Spend, TextRoundTrips) {
  EXPECT_TRUE(rc::check("parse(text()) is the same spend", [] {
    const auto nano = *rc::gen::inRange<std::int64_t>(1, 999'999'999'999'999'999);
    const Spend spend(Currency::zcdp, nano);
    RC_ASSERT(Spend::parse(Currency::zcdp, spend.text()) == spend);
  }));
}

TEST(Spend, RoundingStaysWithinOneNano) {
  EXPECT_TRUE(rc::check("floor <= amount <= ceil <= floor + 1", [] {
    const auto top = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000);
    const auto bottom = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000);
    Rational amount{Integer(top), Integer(bottom)};
    amount.canonicalize();
    RC_PRE(amount < 1'000'000'000);
    const Spend below = Spend::floor(Currency::pure, amount);
    const Spend above = Spend::ceil(Currency::pure, amount);
    RC_ASSERT(below.exact() <= amount);
    RC_ASSERT(amount <= above.exact());
    RC_ASSERT(above.nano() - below.nano() <= 1);
  }));
}

TEST(Currency, Names) {
  EXPECT_EQ(to_text(Currency::pure), "pure");
  EXPECT_EQ(unit_name(Currency::zcdp), "rho");
  EXPECT_EQ(parse_currency("zcdp"), Currency::zcdp);
  EXPECT_EQ(parse_currency(to_text(Currency::pure)), Currency::pure);
  for (const std::string_view text : {"", "Pure", "epsilon", "approx"})
    EXPECT_EQ(parse_currency(text), std::nullopt);
}

}  // namespace
}  // namespace postern
