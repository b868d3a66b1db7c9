// A float means what its shortest text means in a CSV file.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/rational.hpp"
#include "postern/model/level_steps.hpp"

#include "arrow_as_csv.hpp"
#include "records/arrow/real.hpp"
#include "records/arrow/spell.hpp"

namespace postern::owner {
namespace {

std::string spelled(double value) {
  Speller speller;
  return std::string(speller.spell(value));
}

TEST(ArrowFloats, AreSpelledWithoutExponents) {
  EXPECT_EQ(spelled(0.15), "0.15");
  EXPECT_EQ(spelled(-2.5), "-2.5");
  EXPECT_EQ(spelled(-0.0), "0");
  EXPECT_EQ(spelled(100000), "100000");
  EXPECT_EQ(spelled(-3e7), "-30000000");
  EXPECT_EQ(spelled(0x1p53 + 2), "9007199254740994");
  EXPECT_EQ(spelled(1e22), "1" + std::string(22, '0'));
  EXPECT_EQ(spelled(0x1p70), "1180591620717411300000");
  EXPECT_EQ(spelled(1e-5), "0.00001");
  EXPECT_EQ(spelled(double{0.1f}), "0.10000000149011612");
  EXPECT_EQ(spelled(-std::numeric_limits<double>::max()), "-17976931348623157" + std::string(292, '0'));
  EXPECT_EQ(spelled(5e-324), "0." + std::string(323, '0') + "5");
  EXPECT_EQ(spelled(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(spelled(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(ArrowFloats, AnyTextIsReadBackAndRisesWithTheFloat) {
  std::mt19937_64 random(20260703);
  const auto value_of = [](double value) {
    const ShortestDecimal decimal(value);
    Integer power;
    mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(decimal.exponent())));
    const Rational digits(Integer(std::string(decimal.digits()), 10));
    const Rational size = decimal.exponent() < 0 ? Rational(digits / power) : Rational(digits * power);
    return value < 0 ? Rational(-size) : size;
  };
  for (int i = 0; i < 20'000; ++i) {
    double value = std::bit_cast<double>(random());
    if (i % 2 == 0) value = std::ldexp(1.0, static_cast<int>(random() % 2098) - 1074);  // uneven neighbours
    if (i % 4 == 1) value = static_cast<double>(random() % 100'000) / 1000;
    if (!std::isfinite(value)) continue;
    const std::string text = spelled(value);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    const double next = std::nextafter(value, std::numeric_limits<double>::infinity());
    if (!std::isfinite(next)) continue;
    ASSERT_LT(value_of(value), value_of(next)) << text;
  }
}

/// On a grid of 0.1 from 0 to 1: the level is the number of tenths.
TEST(ArrowFloats, AreRoundedToTheGridAsTheirTextIs) {
  const auto r = [](const char* text) { return *parse_decimal(text); };
  const model::Column column{"v", model::RealRange{r("0"), r("1"), r("0.1"), {}}, model::MapTo{0},
                             model::Clamp{}, true};
  const model::Encoder encoder(column);
  const RealCodes codes(column, encoder);
  EXPECT_EQ(codes.code(0.15), 2u);  // its exact value is a little less than 0.15
  EXPECT_EQ(codes.code(std::nextafter(0.15, 0)), 1u);
  EXPECT_EQ(codes.code(double{0.35f}), 3u);  // 0.3499999940395355: widened first
  for (int thousandths = -100; thousandths < 1100; ++thousandths) {
    const double value = thousandths / 1000.0;
    EXPECT_EQ(codes.code(value), encoder.encode(model::Field(spelled(value)))) << value;
  }
}

/// More levels than are compared one by one, and bounds that no float meets.
TEST(ArrowFloats, AreRoundedAsTheirTextIsOnAnyGrid) {
  std::mt19937_64 random(20260704);
  const auto r = [](const char* text) { return *parse_decimal(text); };
  for (const auto& [lo, hi, grid] :
       {std::tuple{"-1", "1", "0.001"},
        {"0", "1000000", "2.5"},
        {"0.000000003", "0.000000903", "0.000000003"},
        {"-3000000000000000021000", "3000000000000000021000", "1000000000000000007"}}) {
    const model::Column column{"v", model::RealRange{r(lo), r(hi), r(grid), {}}, model::MapTo{0},
                               model::Clamp{}, true};
    const model::Encoder encoder(column);
    const RealCodes codes(column, encoder);
    const model::LevelSteps steps(column);
    for (int i = 0; i < 3000; ++i) {
      double value = steps.begin(static_cast<std::uint32_t>(random() % steps.levels())).get_d();
      for (std::uint64_t k = random() % 3; k > 0; --k) value = std::nextafter(value, 1e300);
      EXPECT_EQ(codes.code(value), encoder.encode(model::Field(spelled(value)))) << spelled(value);
    }
  }
}

class ArrowFloatLabels : public ArrowTypes {};

TEST_F(ArrowFloatLabels, WholeFloatsHaveTheLabelOfTheNumber) {
  const model::Column column{"v", model::Categories{{"a", "100000", "2048", "0.5"}}, model::MapTo{0},
                             model::MapTo{0}, true};
  const std::vector<std::optional<double>> values(50, 100000.0);
  const std::vector<std::optional<float>> floats(50, 100000.0f);
  const std::vector<std::optional<std::uint16_t>> halves(50, std::uint16_t{0x6800});
  const Texts texts(50, "100000");
  expect_as_csv(column, values, texts, [&](const auto& part) { return maker_.numbers("g", part); });
  expect_as_csv(column, floats, texts, [&](const auto& part) { return maker_.numbers("f", part); });
  expect_as_csv(column, halves, Texts(50, "2048"),
                [&](const auto& part) { return maker_.numbers("e", part); });
}

}  // namespace
}  // namespace postern::owner
