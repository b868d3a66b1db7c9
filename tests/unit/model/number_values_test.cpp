#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/statistic/sums.hpp"

#include "number_studies.hpp"

// What a level adds to a sum.

namespace postern::model {
namespace {

Column reals(const Rational& lo, const Rational& hi, const Rational& grid) {
  return {"x", RealRange{lo, hi, grid, {}}};
}
Column wholes(std::int64_t lo, std::int64_t hi) { return {"x", IntegerRange{lo, hi, {}}}; }
Transform power(const Rational& exponent) { return {Transform::Kind::power, exponent}; }
const Transform kLog{Transform::Kind::log, 1};

TEST(LevelValues, CountStepsFromTheLevelNearestToZero) {
  using Adds = std::vector<std::int64_t>;
  EXPECT_EQ(level_values(wholes(0, 4), {}).adds, (Adds{0, 1, 2, 3, 4}));
  EXPECT_EQ(level_values(wholes(-2, 2), {}).adds, (Adds{-2, -1, 0, 1, 2}));
  EXPECT_EQ(level_values(wholes(7, 9), {}).adds, (Adds{0, 1, 2}));
  EXPECT_EQ(level_values(wholes(-9, -7), {}).adds, (Adds{-2, -1, 0}));
  const LevelValues real = level_values(reals(Rational(-1, 2), 1, Rational(1, 4)), {});
  EXPECT_EQ(real.adds, (Adds{-2, -1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(real.zero, 0);
  EXPECT_EQ(real.unit, 0.25);
  EXPECT_EQ(level_values(wholes(7, 9), {}).zero, 7);
  EXPECT_EQ(level_values(wholes(-9, -7), {}).zero, -7);
}

TEST(NumberLevels, AreThoseOfTheTable) {
  for (Column column : {wholes(-2, 9), reals(Rational(-1, 2), 1, Rational(1, 4)), wholes(3, 3)}) {
    for (const Policy& policy : {Policy(Clamp{}), Policy(MapTo{0}), Policy(Drop{})}) {
      column.outside = policy;
      const EncodedNumber table = encoded_number(column, {}, Wholes::rounded);
      const NumberLevels levels(column);
      for (const double edge : table.edges) {
        for (const double t : {std::nextafter(edge, -1e9), edge, edge + 0.1}) {
          EXPECT_EQ(levels.level_of(t), table.level_of(t)) << t;
          EXPECT_EQ(levels.lies_outside(t), table.lies_outside(t)) << t;
        }
      }
    }
  }
}

struct Case {
  Column column;
  Transform transform;
};
std::vector<Case> transformed() {
  return {{reals(Rational(1, 100), 1000, Rational(1, 100)), kLog},
          {reals(5, 6, Rational(1, 1000)), kLog},
          {reals(0, 1000, Rational(1, 100)), power(2)},
          {reals(0, 1000, Rational(1, 100)), power(Rational(1, 2))},
          {reals(3, 9, Rational(1, 100)), power(Rational(7, 2))},
          {reals(1, 50'000, 1), power(Rational(1, 1'000'000))},
          {reals(0, 1, Rational(1, 1000)), power(1000)},
          {wholes(1, 60), kLog}};
}

TEST(LevelValues, RoundATransformToAMillionthOfItsRange) {
  for (const auto& [column, transform] : transformed()) {
    const LevelValues values = level_values(column, transform);
    const auto x = [&, &c = column](std::size_t level) {
      const auto* real = std::get_if<RealRange>(&c.values);
      if (real == nullptr)
        return static_cast<double>(std::get<IntegerRange>(c.values).lo) + static_cast<double>(level);
      return Rational(real->lo + real->grid * static_cast<long>(level)).get_d();
    };
    const std::size_t last = values.adds.size() - 1;
    const double span = transform(x(last)) - transform(x(0));
    EXPECT_EQ(std::exp2(std::round(std::log2(values.unit))), values.unit);  // exact arithmetic for readers
    EXPECT_GE(span / values.unit, 0x1p20);
    EXPECT_LT(span / values.unit, 0x1p21);
    EXPECT_EQ(values.adds.front(), 0);
    EXPECT_LE(values.adds.back(), std::int64_t{1} << 21);
    for (std::size_t l = 0; l <= last; ++l) {
      ASSERT_GE(values.adds[l], values.adds[l == 0 ? 0 : l - 1]) << l;
      const double t = values.zero + values.unit * static_cast<double>(values.adds[l]);
      ASSERT_NEAR(t, transform(x(l)), values.unit * 0.500001) << l;
    }
  }
}

// A document may name any transform with any column: what does not rise, or is not finite, has no
// sensitivity.
TEST(LevelValues, RefuseRangesThatATransformDoesNotSuit) {
  const auto refused = [](const Column& column, const Transform& transform) {
    EXPECT_THROW(static_cast<void>(level_values(column, transform)), Error);
  };
  refused(reals(-1, 3, 1), power(2));  // falls, then rises
  refused(reals(-3, 3, 1), power(2));
  refused(reals(-1, 3, 1), power(3));
  refused(reals(-2, -1, Rational(1, 2)), power(2));
  refused(reals(0, 3, 1), kLog);
  refused(reals(-1, 3, 1), kLog);
  refused(reals(0, 1000, 1), power(1000));                           // past what a double holds
  refused(reals(0, Rational(1, 10), Rational(1, 100)), power(300));  // below what it holds well
  refused(reals(2, 2, 1), power(2));
  Column cut = wholes(0, 9);
  std::get<IntegerRange>(cut.values).cuts = {5};
  refused(cut, {});
  Column words;
  words.values = Categories{{"a", "b"}};
  refused(words, {});
}

TEST(LevelTerms, AreSquaresOrMirrored) {
  const Schema schema({wholes(-2, 3)});
  using Terms = std::vector<std::int64_t>;
  LevelSum sum{"x", {}};
  EXPECT_EQ(level_terms(sum, schema), (Terms{-2, -1, 0, 1, 2, 3}));
  sum.power = 2;
  EXPECT_EQ(level_terms(sum, schema), (Terms{4, 1, 0, 1, 4, 9}));
  sum.power = 1;
  sum.mirrored = true;
  EXPECT_EQ(level_terms(sum, schema), (Terms{5, 4, 3, 2, 1, 0}));
  sum.power = 2;
  EXPECT_THROW(static_cast<void>(statistic_size(sum, schema)), Error);
  sum.mirrored = false;
  sum.power = 3;
  EXPECT_THROW(static_cast<void>(statistic_size(sum, schema)), Error);
}

// Which t come to which level: rounding half up on the grid, whole numbers as they are.
TEST(EncodedNumber, PutsNumbersWhereTheEncoderPutsThem) {
  EncodedNumber real = encoded_number(reals(-1, 1, Rational(1, 2)), {});
  EXPECT_EQ(real.edges, (std::vector<double>{-1, -0.75, -0.25, 0.25, 0.75, 1}));
  EXPECT_EQ(real.level_of(-7), 0);
  EXPECT_EQ(real.level_of(-0.76), 0);
  EXPECT_EQ(real.level_of(-0.75), 1);
  EXPECT_EQ(real.level_of(0.9), 4);
  EXPECT_EQ(real.level_of(7), 4);
  const EncodedNumber whole = encoded_number(wholes(3, 5), {});
  EXPECT_EQ(whole.edges, (std::vector<double>{3, 4, 5, 6}));
  EXPECT_EQ(whole.level_of(5), 2);
  EXPECT_EQ(whole.level_of(6), 2);
  EXPECT_EQ(whole.level_of(2), 0);
  Column mapped = wholes(3, 5);
  mapped.outside = MapTo{1};
  EXPECT_EQ(encoded_number(mapped, {}).level_of(100), 1);
  mapped.outside = Drop{};
  EXPECT_EQ(encoded_number(mapped, {}).level_of(2), -1);
  // What a law of real numbers draws, rounded half up to whole ones.
  const EncodedNumber rounded = encoded_number(wholes(3, 5), {}, Wholes::rounded);
  EXPECT_EQ(rounded.edges, (std::vector<double>{2.5, 3.5, 4.5, 5.5}));
  EXPECT_EQ(rounded.level_of(4.49), 1);
  EXPECT_EQ(rounded.level_of(4.5), 2);
  EXPECT_EQ(encoded_number(wholes(1, 2), kLog, Wholes::rounded).edges.front(), std::log(0.5));
  EXPECT_EQ(encoded_number(reals(-1, 1, Rational(1, 2)), {}, Wholes::rounded).edges, real.edges);
  const EncodedNumber log = encoded_number(reals(1, 3, 1), kLog);
  EXPECT_EQ(log.level_of(std::log(1.49)), 0);
  EXPECT_EQ(log.level_of(std::log(1.51)), 1);
}

}  // namespace
}  // namespace postern::model
