// Every Arrow type, with nulls, slices and batches, means what the CSV reader makes of the same values.
#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include <gtest/gtest.h>

#include "../../../lib/owner/src/arrow_real.hpp"
#include "arrow_support.hpp"
#include "arrow_values.hpp"
#include "csv_support.hpp"

namespace postern::owner {
namespace {

using model::Clamp;
using model::Drop;
using model::MapTo;

/// Columns of every kind, under every policy.
std::vector<model::Column> columns() {
  const auto r = [](const char* text) { return *parse_decimal(text); };
  return {
      {"v", model::IntegerRange{18, 99, {30, 45, 60}}, MapTo{1}, Clamp{}, true},
      {"v", model::IntegerRange{-5, 300, {}}, Drop{}, MapTo{7}, true},
      {"v", model::IntegerRange{-(1LL << 53), 1LL << 53, {-100000, 0, 7, 5'000'000'000}}, MapTo{4}, Drop{},
       true},
      {"v", model::RealRange{r("0"), r("200000"), r("100"), {}}, MapTo{3}, Clamp{}, true},
      {"v", model::RealRange{r("-1"), r("1"), r("0.1"), {r("0"), r("0.3")}}, MapTo{1}, MapTo{2}, true},
      {"v", model::RealRange{r("0.001"), r("5.001"), r("0.0005"), {}}, MapTo{9}, Clamp{}, true},
      {"v", model::Categories{{"0", "1", "-7", "250", "2.5", "none", "other"}}, MapTo{5}, MapTo{6}, true},
      {"v",
       model::Categories{{"false", "true", "10", "18446744073709551615", "a label of many bytes",
                          "a label of more bytes", "é", "sixteen bytes 16"}},
       MapTo{2}, Drop{}, true},
  };
}

std::string in_csv(const Texts& values) {
  std::string csv = "v\n";
  for (const auto& value : values) {
    std::string quoted = "\"";
    for (const char c : value.value_or("")) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    csv += quoted + "\"\n";
  }
  return csv;
}

template <class T>
std::vector<T> slice(const std::vector<T>& values, std::size_t begin, std::size_t end) {
  return std::vector<T>(values.begin() + static_cast<std::ptrdiff_t>(begin),
                        values.begin() + static_cast<std::ptrdiff_t>(end));
}

class ArrowTypes : public testing::Test {
 protected:
  /// Reads the values in batches of random lengths, as themselves and by dictionaries, and compares with
  /// the CSV reader's levels of `texts`.
  template <class Value, class Make>
  void expect_as_csv(const model::Column& column, const std::vector<std::optional<Value>>& values,
                     const Texts& texts, Make make) {
    const model::Schema schema({column});
    const Rows expected = read_rows(in_csv(texts), schema);
    EXPECT_EQ(
        read(schema, values.size(), [&](std::size_t b, std::size_t e) { return make(slice(values, b, e)); }),
        expected)
        << make(values).format;
    const std::uint64_t width = random_();
    EXPECT_EQ(
        read(schema, values.size(),
             [&](std::size_t b, std::size_t e) { return look_ups(make(slice(values, b, e)), e - b, width); }),
        expected)
        << "dictionary of " << make(values).format;
  }

  template <class Make>
  Rows read(const model::Schema& schema, std::size_t count, Make make) {
    HandStream hand;
    for (std::size_t begin = 0; begin < count;) {
      const std::size_t end = std::min(count, begin + random_() % 90);
      HandArray array = make(begin, end);
      array.name = "v";
      hand.batches.push_back(batch_of({array}, static_cast<std::int64_t>(end - begin)));
      begin = end;
    }
    hand.schema = hand.batches.at(0);
    ArrowArrayStream stream = hand.open();
    return rows_of(ArrowStream(&stream, schema, {"v"}).read(2), {"v"});
  }

  /// The same rows by a dictionary that holds them.
  HandArray look_ups(const HandArray& values, std::size_t count, std::uint64_t width) {
    const auto with = [&](auto zero, const char* format) {
      std::vector<std::optional<decltype(zero)>> indices;
      for (std::size_t i = 0; i < count; ++i) indices.push_back(static_cast<decltype(zero)>(i));
      HandArray array = maker_.numbers(format, indices);
      array.dictionary = std::make_shared<HandArray>(values);
      return array;
    };
    switch (width % 4) {
      case 0:
        return with(std::int8_t{}, "c");
      case 1:
        return with(std::uint16_t{}, "S");
      case 2:
        return with(std::int32_t{}, "i");
      default:
        return with(std::uint64_t{}, "L");
    }
  }

  [[nodiscard]] bool rarely() { return random_() % 7 == 0; }

  /// Numbers in and around the columns' ranges, and anything else the type holds.
  template <class T>
  std::vector<std::optional<T>> whole_values() {
    std::vector<std::optional<T>> values;
    for (int i = 0; i < 400; ++i) {
      const auto any = static_cast<std::int64_t>(random_());
      const std::int64_t near[] = {0,  1,  -7,  250, 17,  18,     30,           45,
                                   60, 99, 100, 300, 301, 200000, 5'000'000'000};
      std::int64_t value = near[random_() % std::size(near)] + any % 3;
      if (rarely()) value = any;
      if (rarely()) value = any % 400'000;
      values.emplace_back(static_cast<T>(value));
      if (rarely()) values.back().reset();
    }
    values.emplace_back(std::numeric_limits<T>::max());
    values.emplace_back(std::numeric_limits<T>::min());
    return values;
  }

  template <class T>
  void expect_wholes(const char* format) {
    for (const model::Column& column : columns()) {
      const auto values = whole_values<T>();
      Texts texts;
      for (const auto& value : values)
        texts.push_back(value ? std::optional(std::to_string(*value)) : std::nullopt);
      expect_as_csv(column, values, texts, [&](const auto& part) { return maker_.numbers(format, part); });
    }
  }

  std::vector<std::optional<double>> real_values() {
    std::vector<std::optional<double>> values;
    const double near[] = {0,       -0.0,   1,   -1,   0.05, 0.25,  0.3, 0.35,    17.5,
                           18,      30,     45,  99,   300,  50,    150, 0.001,   50.0005,
                           49.9995, 200000, 2.5, 1e18, -7,   1e300, 250, DBL_MIN, DBL_TRUE_MIN};
    for (int i = 0; i < 500; ++i) {
      double value = near[random_() % std::size(near)];
      if (rarely()) value = static_cast<double>(random_() % 100'000) / 1000;
      if (rarely()) value += static_cast<double>(random_() % 2000) * 100 - 50;
      if (random_() % 2 == 0) value = std::nextafter(value, random_() % 2 == 0 ? -1e308 : 1e308);
      if (rarely()) value = std::numeric_limits<double>::infinity() * (random_() % 2 == 0 ? -1 : 1);
      if (rarely()) value = std::numeric_limits<double>::quiet_NaN();
      values.emplace_back(value);
      if (rarely()) values.back().reset();
    }
    return values;
  }

  std::mt19937_64 random_{20260701};
  ArrayMaker maker_{random_};
};

/// All digits of a float: what it is, not what it is usually printed as.
std::string every_digit(double value) {
  char text[2048];
  (void)std::snprintf(text, sizeof text, "%.1100f", value);
  return text;
}

template <class Float>
std::string shortest(Float value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value == 0 ? Float{0} : value).ptr;
  return std::isnan(value) ? "" : std::string(text, end);
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

TEST_F(ArrowTypes, FloatsAreReadToTheirLastDigit) {
  for (const model::Column& column : columns()) {
    const bool label = std::holds_alternative<model::Categories>(column.values);
    const auto values = real_values();
    std::vector<std::optional<float>> floats;
    Texts texts;
    Texts float_texts;
    for (const auto& value : values) {
      if (value) {
        floats.emplace_back(static_cast<float>(*value));
        texts.emplace_back(label ? shortest(*value) : every_digit(*value));
        float_texts.emplace_back(label ? shortest(*floats.back()) : every_digit(*floats.back()));
      } else {
        floats.emplace_back();
        texts.emplace_back();
        float_texts.emplace_back();
      }
    }
    expect_as_csv(column, values, texts, [&](const auto& part) { return maker_.numbers("g", part); });
    expect_as_csv(column, floats, float_texts, [&](const auto& part) { return maker_.numbers("f", part); });
  }
}

TEST_F(ArrowTypes, HalfFloats) {
  for (const model::Column& column : columns()) {
    const bool label = std::holds_alternative<model::Categories>(column.values);
    std::vector<std::optional<std::uint16_t>> values;
    Texts texts;
    for (int i = 0; i < 600; ++i) {
      values.emplace_back(static_cast<std::uint16_t>(random_()));
      if (random_() % 2 == 0) values.back() = static_cast<std::uint16_t>(0x3C00 + random_() % 0x1400);
      const float value = widen_half(*values.back());
      texts.emplace_back(label ? shortest(value) : every_digit(value));
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

struct Wide {
  std::uint64_t words[4];
};

/// The text of words / 10^scale, by GMP.
std::string spell(const std::uint64_t* words, std::size_t count, int scale) {
  Integer value;
  mpz_import(value.get_mpz_t(), count, -1, 8, 0, 0, words);
  if (static_cast<std::int64_t>(words[count - 1]) < 0)
    value -= Integer(1) << static_cast<unsigned>(64 * count);
  const bool negative = value < 0;
  std::string digits = Integer(abs(value)).get_str();
  if (scale < 0) digits += digits == "0" ? "" : std::string(static_cast<std::size_t>(-scale), '0');
  if (scale > 0) {
    const auto places = static_cast<std::size_t>(scale);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
  }
  return (negative ? "-" : "") + digits;
}

TEST_F(ArrowTypes, Decimals) {
  struct Shape {
    const char* format;
    std::size_t words;
    int scale;
  };
  const Shape shapes[] = {{"d:38,2", 2, 2},        {"d:38,0", 2, 0},     {"d:38,37", 2, 37},
                          {"d:20,-3,128", 2, -3},  {"d:76,4,256", 4, 4}, {"d:76,40,256", 4, 40},
                          {"d:18,3,64", 1, 3},     {"d:18,0,64", 1, 0},  {"d:18,18,64", 1, 18},
                          {"d:76,-40,256", 4, -40}};
  for (const Shape& shape : shapes) {
    for (const model::Column& column : columns()) {
      std::vector<std::optional<Wide>> values;
      Texts texts;
      const auto whole = whole_values<std::int64_t>();
      for (const auto& number : whole) {
        values.emplace_back();
        texts.emplace_back();
        if (!number) continue;
        std::int64_t value = *number;
        for (int i = 0; i < shape.scale && std::abs(value) < 90'000'000'000'000'000 && !rarely(); ++i)
          value *= 10;
        Wide wide{{static_cast<std::uint64_t>(value), 0, 0, 0}};
        for (std::size_t w = 1; w < 4; ++w) wide.words[w] = value < 0 ? ~std::uint64_t{0} : 0;
        if (rarely()) wide.words[shape.words - 1] = random_();
        values.back() = wide;
        texts.back() = spell(wide.words, shape.words, shape.scale);
      }
      expect_as_csv(column, values, texts, [&](const std::vector<std::optional<Wide>>& part) {
        const auto narrow = [&](auto zero) {
          std::vector<std::optional<decltype(zero)>> out;
          for (const auto& value : part) {
            out.emplace_back();
            if (value) std::memcpy(&out.back().emplace(), value->words, sizeof zero);
          }
          return maker_.numbers(shape.format, out);
        };
        if (shape.words == 1) return narrow(std::int64_t{});
        return shape.words == 2 ? narrow(Int128{}) : narrow(Wide{});
      });
    }
  }
}

TEST_F(ArrowTypes, SmallDecimals) {
  for (const model::Column& column : columns()) {
    const auto values = whole_values<std::int32_t>();
    Texts texts;
    for (const auto& value : values) {
      texts.emplace_back();
      const auto word = static_cast<std::uint64_t>(std::int64_t{value.value_or(0)});
      if (value) texts.back() = spell(&word, 1, 2);
    }
    expect_as_csv(column, values, texts, [&](const auto& part) { return maker_.numbers("d:9,2,32", part); });
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
