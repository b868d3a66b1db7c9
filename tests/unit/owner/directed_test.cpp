#include "ledger/directed.hpp"

#include <array>

#include <gtest/gtest.h>

namespace postern::owner {
namespace {

Rational q(const char* text) { return *parse_decimal(text, 60); }

struct Point {
  const char* x;
  const char* value;  // mpmath, 60 digits, cut to at least 36 significant ones
};

/// The bounds must enclose the true value, of which the constant is a truncation, and be this close.
void expect_enclosed(const Rational& below, const Rational& above, const Rational& value) {
  const Rational slack = abs(value) * q("0.00000000000000000000000000000000001");  // 1e-35
  EXPECT_LE(below, value + slack);
  EXPECT_GE(above, value - slack);
  EXPECT_LE(above - below, slack);
  EXPECT_LE(below, above);
}

TEST(Directed, LogarithmIsEnclosed) {
  const std::array<Point, 5> points{
      {{"2", "0.6931471805599453094172321214581765680755"},
       {"0.000000000000000000000000000001", "-69.07755278982137052053974364053092622803"},
       {"1.0000000001", "0.00000000009999999999500000000033333333330833333334"},
       {"0.999", "-0.001000500333583533500142982254068344960755"},
       {"123456789", "18.63140176616801803319393334796320420971"}}};
  for (const Point& p : points) expect_enclosed(log_below(q(p.x)), log_above(q(p.x)), q(p.value));
  EXPECT_EQ(log_below(1), 0);
}

TEST(Directed, ExponentialIsBoundedFromAbove) {
  const std::array<Point, 3> points{
      {{"0.5", "0.6065306597126334236037995349911804534419"},
       {"1", "0.3678794411714423215955237701614608674458"},
       {"37.25", "0.00000000000000006645544172915070539633280106185789357558"}}};
  for (const Point& p : points) {
    const Rational above = exp_minus_above(q(p.x));
    expect_enclosed(above, above, q(p.value));
    EXPECT_GE(above, q(p.value) * (1 - q("0.000000000000000000000000000000000000001")));
  }
  EXPECT_EQ(exp_minus_above(0), 1);
}

TEST(Directed, ExponentialAndLogarithmBracketEachOther) {
  for (const char* t : {"0.001", "3", "700.125", "4096"}) {
    EXPECT_GE(log_above(exp_minus_above(q(t))), -q(t)) << t;
    EXPECT_LE(log_below(exp_minus_above(q(t))), -q(t) + q("0.00000000000000000000000000000001")) << t;
  }
}

}  // namespace
}  // namespace postern::owner
