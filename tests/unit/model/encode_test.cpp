#include "postern/model/encode.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

std::uint32_t code(const Encoder& encoder, std::string_view text) { return encoder.encode(Field(text)); }

Column categories(std::vector<std::string> labels, Policy missing, Policy outside) {
  return {"colour", Categories{std::move(labels)}, missing, outside, true};
}

Column integers(std::int64_t lo, std::int64_t hi, std::vector<std::int64_t> cuts = {}) {
  return {"age", IntegerRange{lo, hi, std::move(cuts)}, MapTo{1}, Clamp{}, true};
}

Column reals(const char* lo, const char* hi, const char* grid, std::vector<Rational> cuts = {}) {
  return {"income", RealRange{Rational(lo), Rational(hi), Rational(grid), std::move(cuts)}, MapTo{1}, Clamp{},
          true};
}

TEST(EncodeCategory, MatchesDeclaredLabelsByteForByte) {
  const Encoder encoder(
      categories({"no", "yes", "Prof-specialty", "Outlying-US(Guam-USVI-etc)", "é"}, MapTo{0}, MapTo{1}));
  EXPECT_EQ(encoder.levels(), 5u);
  EXPECT_EQ(code(encoder, "no"), 0u);
  EXPECT_EQ(code(encoder, "yes"), 1u);
  EXPECT_EQ(code(encoder, "Prof-specialty"), 2u);
  EXPECT_EQ(code(encoder, "Outlying-US(Guam-USVI-etc)"), 3u);
  EXPECT_EQ(code(encoder, "é"), 4u);
  EXPECT_EQ(code(encoder, " \tyes "), 1u);
  EXPECT_EQ(code(encoder, "Outlying-US(Guam-USVI-etC)"), 1u);
  EXPECT_EQ(code(encoder, "Outlying-US(GuaX-USVI-etc)"), 1u) << "the middle of a long label counts too";
  EXPECT_EQ(code(encoder, "NO"), 1u);
  EXPECT_EQ(code(encoder, ""), 0u);
  EXPECT_EQ(code(encoder, "   "), 0u);
  EXPECT_EQ(code(encoder, std::string_view("no\0", 3)), 1u);
}

TEST(EncodeCategory, UndeclaredValueFollowsOutside) {
  EXPECT_EQ(code(Encoder(categories({"a", "b", "c"}, MapTo{0}, MapTo{2})), "zebra"), 2u);
  EXPECT_EQ(code(Encoder(categories({"a", "b", "c"}, MapTo{0}, Drop{})), "zebra"), kDropped);
  EXPECT_EQ(code(Encoder(categories({"a", "b", "c"}, Drop{}, MapTo{2})), ""), kDropped);
}

TEST(EncodeCategory, FindsEachOfManyLabels) {
  std::vector<std::string> labels;
  for (int i = 0; i < 5000; ++i) labels.push_back("label-" + std::to_string(i * 7919));
  const Encoder encoder(categories(labels, MapTo{0}, MapTo{0}));
  for (std::uint32_t i = 0; i < labels.size(); ++i) ASSERT_EQ(code(encoder, labels[i]), i);
}

TEST(EncodeInteger, ReadsWholeNumbersHoweverWritten) {
  const Encoder encoder(integers(-5, 120));
  for (const char* text : {"12", "+12", "012", "12.0", "12.", "1.2e1", "1200e-2", "0.12E+2", " 12\t",
                           "0000000000000000000012"}) {
    EXPECT_EQ(code(encoder, text), 17u) << text;
  }
  EXPECT_EQ(code(encoder, "-3"), 2u);
  EXPECT_EQ(code(encoder, "-0"), 5u);
  EXPECT_EQ(code(encoder, "0e99999999999999999999"), 5u);
}

TEST(EncodeInteger, UnreadableIsMissing) {
  const Encoder encoder(integers(0, 100));
  for (const char* text : {"", " ", "nan", "NA", "12a", "1 2", "--1", "12.5", "1e-1", "e5", ".", "+", "1e",
                           "1e+", "0x10", "1,5"}) {
    EXPECT_EQ(code(encoder, text), 1u) << text;
  }
}

TEST(EncodeInteger, OutOfRangeIsClamped) {
  const Encoder encoder(integers(10, 20));
  for (const char* text :
       {"21", "1e3", "99999999", "123456789012345678901234567890", "1e999999999999", "inf", "+Infinity"}) {
    EXPECT_EQ(code(encoder, text), 10u) << text;
  }
  for (const char* text : {"9", "0", "-1", "-99999999999999999999", "-1e30", "-inf"}) {
    EXPECT_EQ(code(encoder, text), 0u) << text;
  }
}

TEST(EncodeInteger, OutsidePolicies) {
  Column column = integers(10, 20);
  column.outside = MapTo{3};
  EXPECT_EQ(code(Encoder(column), "21"), 3u);
  EXPECT_EQ(code(Encoder(column), "-inf"), 3u);
  column.outside = Drop{};
  EXPECT_EQ(code(Encoder(column), "9"), kDropped);
  EXPECT_TRUE(Encoder(column).may_drop());
}

TEST(EncodeInteger, CutsShortAndLongRanges) {
  for (const std::int64_t hi : {99, 10'000'000}) {
    const Encoder encoder(integers(18, hi, {30, 45, 60}));
    EXPECT_EQ(encoder.levels(), 4u);
    EXPECT_EQ(code(encoder, "18"), 0u);
    EXPECT_EQ(code(encoder, "29"), 0u);
    EXPECT_EQ(code(encoder, "30"), 1u);
    EXPECT_EQ(code(encoder, "44"), 1u);
    EXPECT_EQ(code(encoder, "59"), 2u);
    EXPECT_EQ(code(encoder, "60"), 3u);
    EXPECT_EQ(code(encoder, "99"), 3u);
    EXPECT_EQ(code(encoder, "1000000000"), 3u);
    EXPECT_EQ(code(encoder, "0"), 0u);
  }
}

TEST(EncodeReal, RoundsHalfUpToTheGrid) {
  const Encoder encoder(reals("-1", "1", "1/2"));
  EXPECT_EQ(code(encoder, "-1"), 0u);
  EXPECT_EQ(code(encoder, "-0.75"), 1u) << "a tie goes up";
  EXPECT_EQ(code(encoder, "-0.7500000000000000000000000000000001"), 0u);
  EXPECT_EQ(code(encoder, "0.24999999999999999999999999999999"), 2u);
  EXPECT_EQ(code(encoder, "0.25"), 3u);
  EXPECT_EQ(code(encoder, "2.5e-1"), 3u);
  EXPECT_EQ(code(encoder, "1.0000000000000000000000000000001"), 4u);
  EXPECT_EQ(code(encoder, "nan"), 1u);
}

TEST(EncodeReal, DecidesTheEdgeExactly) {
  Column column = reals("0", "1", "1/10");
  column.outside = MapTo{5};
  const Encoder encoder(column);
  EXPECT_EQ(code(encoder, "1"), 10u);
  EXPECT_EQ(code(encoder, "1.00"), 10u);
  EXPECT_EQ(code(encoder, "1.000000001"), 5u);
  EXPECT_EQ(code(encoder, "1.000000000000000000000000000000000001"), 5u);
  EXPECT_EQ(code(encoder, "-0.000000001"), 5u);
  EXPECT_EQ(code(encoder, "-1e-999999"), 5u);
  EXPECT_EQ(code(encoder, "-0.0"), 0u);
  EXPECT_EQ(code(encoder, "1e-999999999999999999999"), 0u);
}

TEST(EncodeReal, TakesAMillionDigits) {
  const Encoder encoder(reals("0", "1", "1/3"));  // thresholds 1/6, 1/2, 5/6 never end or end late
  const std::string sixes(1'000'000, '6');
  EXPECT_EQ(code(encoder, "0.1" + sixes), 0u);
  EXPECT_EQ(code(encoder, "0.1" + sixes + "7"), 1u);
  EXPECT_EQ(code(encoder, "0.5" + std::string(1'000'000, '0')), 2u);
  EXPECT_EQ(code(encoder, "0.4" + std::string(1'000'000, '9')), 1u);
  EXPECT_EQ(code(encoder, std::string(1'000'000, '9')), 3u);
  EXPECT_EQ(code(encoder, std::string(1'000'000, '0') + "1e-1"), 0u);
}

/// A number and the text of it, in one of the forms a file may hold.
std::pair<std::string, Rational> random_number(std::mt19937_64& random) {
  const auto digits = [&](int most) {
    std::string text;
    for (int i = static_cast<int>(random() % static_cast<unsigned>(most + 1)); i > 0; --i)
      text += static_cast<char>('0' + random() % 10);
    return text;
  };
  const std::string before = "0" + digits(random() % 4 == 0 ? 25 : 3);
  const std::string behind = digits(random() % 4 == 0 ? 40 : 5);
  const int exponent = random() % 3 == 0 ? static_cast<int>(random() % 13) - 6 : 0;
  const bool negative = random() % 2 == 0;
  Rational value(Integer(before + behind, 10));
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, behind.size());
  value /= power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  value = exponent < 0 ? Rational(value / power) : Rational(value * power);
  std::string text = (negative ? "-" : "") + before + "." + behind;
  if (exponent != 0) text += "e" + std::to_string(exponent);
  return {text, negative ? Rational(-value) : value};
}

/// The definition of encode.hpp (clamp, round half up to the grid, cut) in rationals.
std::uint32_t by_definition(const RealRange& range, Rational x) {
  x = std::clamp(x, range.lo, range.hi);
  const Integer r = floor((2 * (x - range.lo) / range.grid + 1) / 2);
  if (range.cuts.empty()) return static_cast<std::uint32_t>(r.get_ui());
  const Rational point = range.lo + r * range.grid;
  std::uint32_t level = 0;
  while (level < range.cuts.size() && range.cuts[level] <= point) ++level;
  return level;
}

TEST(EncodeReal, AgreesWithRationals) {
  std::mt19937_64 random(20260801);
  const RealRange ranges[] = {
      {Rational(0), Rational(1000), Rational(1, 4), {}},
      {Rational(-1000), Rational(1000), Rational(1, 10), {}},
      {Rational(-7, 3), Rational(700, 3), Rational(7, 3), {}},
      {Rational(-1000), Rational(100000), Rational(100), {}},
      {Rational(-2000000),
       Rational(2000000),
       Rational(1, 1000000000),
       {Rational(-1), Rational(0), Rational(1, 2), Rational(5000)}},
      {Rational(-50), Rational(50), Rational(1, 7), {Rational(1, 7), Rational(20)}},
  };
  for (const RealRange& range : ranges) {
    const Encoder encoder(Column{"x", range, MapTo{0}, Clamp{}, true});
    for (int i = 0; i < 4000; ++i) {
      const auto [text, value] = random_number(random);
      ASSERT_EQ(code(encoder, text), by_definition(range, value)) << text;
    }
    // The ties themselves, and a hair below and above them.
    for (std::uint32_t k = 1; k <= 30; ++k) {
      const Rational tie = range.lo + (k - Rational(1, 2)) * range.grid;
      const std::string text = to_decimal(tie, 12);
      if (text.find('/') != std::string::npos) continue;
      const std::string more =
          text + (text.find('.') == std::string::npos ? ".0" : "") + std::string(30, '0') + "1";
      Integer power;
      mpz_ui_pow_ui(power.get_mpz_t(), 10, more.size() - 1 - more.find('.'));
      const Rational hair(1, power);
      ASSERT_EQ(code(encoder, text), by_definition(range, tie)) << text;
      ASSERT_EQ(code(encoder, more),
                by_definition(range, tie < 0 ? Rational(tie - hair) : Rational(tie + hair)))
          << more;
    }
  }
}

TEST(EncodeInteger, AgreesWithRationals) {
  std::mt19937_64 random(7);
  const Encoder encoder(Column{"x", IntegerRange{-200, 5000, {}}, MapTo{1}, Clamp{}, true});
  for (int i = 0; i < 20000; ++i) {
    const auto [text, value] = random_number(random);
    const bool whole = value.get_den() == 1;
    const Rational pinned = std::clamp(value, Rational(-200), Rational(5000));
    const auto expected = whole ? static_cast<std::uint32_t>(pinned.get_num().get_si() + 200) : 1u;
    ASSERT_EQ(code(encoder, text), expected) << text;
  }
}

/// Encodes the fields one by one and as a block, and expects the same.
template <class Level>
void expect_block_agrees(const Column& column, const std::vector<std::string>& fields) {
  const Encoder encoder(column);
  std::string text(FieldBlock::kPadding, 'x');
  std::vector<std::uint32_t> starts;
  std::vector<std::uint32_t> firsts;
  std::vector<std::uint32_t> ends;
  for (const std::string& field : fields) {
    starts.push_back(static_cast<std::uint32_t>(text.size()));
    firsts.push_back(static_cast<std::uint32_t>(ends.size()));
    for (int twice = 0; twice < 2; ++twice) {
      text += field;
      ends.push_back(static_cast<std::uint32_t>(text.size()));
      text += ',';
    }
  }
  text += std::string(FieldBlock::kPadding, '7');
  const FieldBlock block(text.data(), starts, firsts, ends);
  for (std::size_t f = 0; f < 2; ++f) {
    std::vector<Level> levels(fields.size());
    std::vector<std::uint8_t> copies(fields.size(), 1);
    encoder.encode(block, f, levels.data(), copies.data());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::uint32_t alone = code(encoder, fields[i]);
      EXPECT_EQ(copies[i], alone == kDropped ? 0 : 1) << fields[i];
      if (alone != kDropped) {
        EXPECT_EQ(levels[i], alone) << fields[i];
      }
    }
  }
}

TEST(EncodeBlock, AgreesWithSingleFields) {
  const std::vector<std::string> fields = {"",
                                           " ",
                                           "1",
                                           "12",
                                           "123",
                                           "1234567",
                                           "12345678",
                                           "123456789",
                                           "12345678901234567890",
                                           "-5",
                                           "+5",
                                           "5.0",
                                           "5.5",
                                           "  7 ",
                                           "nan",
                                           "inf",
                                           "-inf",
                                           "x",
                                           "yes",
                                           "no ",
                                           "no",
                                           "eightlet",
                                           "nine-lett",
                                           "sixteen-letters!",
                                           "seventeen-letters",
                                           "a\"b",
                                           "é",
                                           "9e0",
                                           "1234567a"};
  expect_block_agrees<std::uint8_t>(
      categories({"yes", "no", "eightlet", "nine-lett", "sixteen-letters!", "seventeen-letters", "é"},
                 MapTo{1}, MapTo{2}),
      fields);
  expect_block_agrees<std::uint8_t>(categories({"yes", "no"}, Drop{}, Drop{}), fields);
  expect_block_agrees<std::uint16_t>(integers(0, 1000), fields);
  expect_block_agrees<std::uint8_t>(integers(0, 1000, {6, 50}), fields);
  expect_block_agrees<std::uint32_t>(integers(-200000, 800000), fields);
  expect_block_agrees<std::uint16_t>(reals("0", "200", "1/2"), fields);
}

TEST(Encode, RefusesAnInvalidColumn) {
  EXPECT_THROW(Encoder(categories({"a", "a"}, MapTo{0}, MapTo{0})), Error);
  EXPECT_THROW(Encoder(integers(3, 1)), Error);
}

}  // namespace
}  // namespace postern::model
