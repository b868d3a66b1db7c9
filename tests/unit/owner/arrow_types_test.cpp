// Every Arrow type, with nulls, slices and batches, means what the CSV reader makes of the same values.
#include <charconv>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "arrow_as_csv.hpp"
#include "records/arrow/real.hpp"

namespace postern::owner {
namespace {

/// As a CSV file would hold it: the shortest digits that are read back as the same 64-bit float, without an
/// exponent where a label might be meant.
std::string in_a_file(double value) {
  if (std::isnan(value)) return "";
  if (std::fabs(value) < 0x1p53 && std::trunc(value) == value)
    return std::to_string(static_cast<std::int64_t>(value));
  const bool plain = std::fabs(value) > 1e-9 && std::fabs(value) < 0x1p53;
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value,
                              plain ? std::chars_format::fixed : std::chars_format::scientific)
                    .ptr};
}

TEST_F(ArrowTypes, Integers) {
  expect_wholes<std::int8_t>("c");
  expect_wholes<std::uint8_t>("C");
  expect_wholes<std::int16_t>("s");
  expect_wholes<std::uint16_t>("S");
  expect_wholes<std::int32_t>("i");
  expect_wholes<std::uint32_t>("I");
  expect_wholes<std::int64_t>("l");
  expect_wholes<std::uint64_t>("L");
}

TEST_F(ArrowTypes, FloatsAreReadAsTheirShortestText) {
  for (const model::Column& column : columns()) {
    const auto values = real_values();
    std::vector<std::optional<float>> floats;
    Texts texts;
    Texts float_texts;
    for (const auto& value : values) {
      floats.push_back(value ? std::optional(static_cast<float>(*value)) : std::nullopt);
      texts.push_back(value ? std::optional(in_a_file(*value)) : std::nullopt);
      float_texts.push_back(value ? std::optional(in_a_file(*floats.back())) : std::nullopt);
    }
    expect_as_csv(column, values, texts, [&](const auto& part) { return maker_.numbers("g", part); });
    expect_as_csv(column, floats, float_texts, [&](const auto& part) { return maker_.numbers("f", part); });
  }
}

TEST_F(ArrowTypes, HalfFloats) {
  for (const model::Column& column : columns()) {
    std::vector<std::optional<std::uint16_t>> values;
    Texts texts;
    for (int i = 0; i < 600; ++i) {
      values.emplace_back(static_cast<std::uint16_t>(random_()));
      if (random_() % 2 == 0) values.back() = static_cast<std::uint16_t>(0x3C00 + random_() % 0x1400);
      texts.emplace_back(in_a_file(widen_half(*values.back())));
      if (rarely()) {
        values.back().reset();
        texts.back().reset();
      }
    }
    expect_as_csv(column, values, texts, [&](const auto& part) { return maker_.numbers("e", part); });
  }
}

TEST_F(ArrowTypes, WidensEveryHalfFloat) {
  EXPECT_EQ(widen_half(0x3C00), 1.0f);
  EXPECT_EQ(widen_half(0xC000), -2.0f);
  EXPECT_EQ(widen_half(0x7BFF), 65504.0f);
  EXPECT_EQ(widen_half(0x0001), 0x1p-24f);
  EXPECT_EQ(widen_half(0x83FF), -0x3FFp-24f);
  EXPECT_EQ(widen_half(0x0400), 0x1p-14f);
  EXPECT_EQ(widen_half(0xFC00), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(widen_half(0x7C01)));
}

TEST_F(ArrowTypes, Booleans) {
  for (const model::Column& column : columns()) {
    const bool label = column.find_level("true").has_value();
    std::vector<std::optional<bool>> values;
    Texts texts;
    for (int i = 0; i < 300; ++i) {
      values.emplace_back(random_() % 2 == 0);
      if (rarely()) values.back().reset();
      texts.emplace_back();
      if (values.back())
        texts.back() = label ? (*values.back() ? "true" : "false") : (*values.back() ? "1" : "0");
    }
    expect_as_csv(column, values, texts, [&](const auto& part) { return maker_.booleans(part); });
  }
}

TEST_F(ArrowTypes, Texts) {
  const std::vector<std::string> pool = {"0",
                                         "1",
                                         " 1",
                                         "1 ",
                                         "-7",
                                         "250",
                                         "2.5",
                                         "none",
                                         "other",
                                         "true",
                                         "True",
                                         "",
                                         " ",
                                         "\t",
                                         "10",
                                         "1e1",
                                         "18",
                                         "17.9",
                                         "30.0",
                                         "0.3",
                                         "0.29999999999999999999",
                                         "inf",
                                         "-Infinity",
                                         "nan",
                                         "1\"2",
                                         "\"",
                                         "\"1\"",
                                         "a label of many bytes",
                                         "a label of more bytes",
                                         "a label of some bytes",
                                         " a label of many bytes ",
                                         "sixteen bytes 16",
                                         "sixteen bytes 1",
                                         "sixteen bytes 167",
                                         "é",
                                         "\xC3",
                                         "\xFF\xFE",
                                         std::string("1\0", 2),
                                         std::string("\0", 1),
                                         "200000.00001",
                                         "12345678901234567890123",
                                         std::string(300, '7'),
                                         "true ",
                                         "fals",
                                         "falsey"};
  for (const model::Column& column : columns()) {
    Texts values;
    for (int i = 0; i < 600; ++i) {
      values.emplace_back(pool[random_() % pool.size()]);
      if (rarely()) values.back().reset();
    }
    for (const char* format : {"u", "z"}) {
      expect_as_csv(column, values, values,
                    [&](const Texts& part) { return maker_.texts<std::int32_t>(format, part); });
    }
    for (const char* format : {"U", "Z"}) {
      expect_as_csv(column, values, values,
                    [&](const Texts& part) { return maker_.texts<std::int64_t>(format, part); });
    }
    for (const char* format : {"vu", "vz"}) {
      expect_as_csv(column, values, values, [&](const Texts& part) { return maker_.views(format, part); });
    }
  }
}

TEST_F(ArrowTypes, NothingButNulls) {
  for (const model::Column& column : columns()) {
    const std::vector<std::optional<int>> values(40);
    expect_as_csv(column, values, Texts(40), [&](const auto& part) {
      HandArray array;
      array.format = "n";
      array.length = static_cast<std::int64_t>(part.size());
      array.null_count = array.length;
      return array;
    });
  }
}

TEST_F(ArrowTypes, DictionariesMayChangeFromBatchToBatchAndBeMostlyUnused) {
  const model::Schema schema({columns()[6]});
  Texts large(5000, "0");
  large[4321] = "250";
  const std::vector<Texts> dictionaries = {{"1", "0", std::nullopt}, large, {"nothing", "250"}};
  const std::vector<std::vector<std::optional<std::int16_t>>> indices = {
      {0, 1, 2, std::nullopt, 0}, {4321, 0, std::nullopt, 5000}, {1, 0, 1, -1}};
  HandStream hand;
  for (std::size_t b = 0; b < indices.size(); ++b) {
    HandArray array = maker_.numbers("s", indices[b]);
    array.name = "v";
    array.dictionary = std::make_shared<HandArray>(maker_.texts<std::int32_t>("u", dictionaries[b]));
    hand.batches.push_back(batch_of({array}, static_cast<std::int64_t>(indices[b].size())));
  }
  hand.schema = hand.batches.at(0);
  ArrowArrayStream stream = hand.open();
  EXPECT_EQ(rows_of(ArrowStream(&stream, schema, {"v"}).read(1), {"v"}),
            (Rows{{1}, {0}, {5}, {5}, {1}, {3}, {0}, {5}, {5}, {3}, {6}, {3}, {5}}));
}

}  // namespace
}  // namespace postern::owner
