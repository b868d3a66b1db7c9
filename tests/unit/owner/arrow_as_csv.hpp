#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arrow_support.hpp"
#include "arrow_values.hpp"
#include "check_support.hpp"
#include "csv_support.hpp"

namespace postern::owner {

/// Columns of every kind, under every policy.
inline std::vector<model::Column> columns() {
  using model::Clamp;
  using model::Drop;
  using model::MapTo;
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

inline std::string in_csv(const Texts& values) {
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
    EXPECT_EQ(look(column, open(values.size(),
                                [&](std::size_t b, std::size_t e) { return make(slice(values, b, e)); })),
              look_at_csv(column, in_csv(texts)))
        << "the look at " << make(values).format;
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
    HandStream hand = open(count, make);
    ArrowArrayStream stream = hand.open();
    return rows_of(ArrowStream(&stream, schema, {"v"}).read(2), {"v"});
  }

  /// The values in batches of random lengths.
  template <class Make>
  HandStream open(std::size_t count, Make make) {
    HandStream hand;
    for (std::size_t begin = 0; begin < count;) {
      const std::size_t end = std::min(count, begin + random_() % 90);
      HandArray array = make(begin, end);
      array.name = "v";
      hand.batches.push_back(batch_of({array}, static_cast<std::int64_t>(end - begin)));
      begin = end;
    }
    hand.schema = hand.batches.at(0);
    return hand;
  }

  /// How many fields there are of each kind, and how many records are kept.
  using Look = std::pair<std::array<std::int64_t, ColumnCheck::kKinds>, std::int64_t>;
  static Look look(const model::Column& column, HandStream hand) {
    const model::Study study = study_of(model::Schema({column}));
    ArrowArrayStream stream = hand.open();
    const RecordsCheck check = check_arrow_stream(&stream, study);
    return {check.columns.at(0).fields, check.kept};
  }
  static Look look_at_csv(const model::Column& column, const std::string& csv) {
    const RecordsCheck check = check_content(csv, study_of(model::Schema({column})));
    return {check.columns.at(0).fields, check.kept};
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
    const double near[] = {0,  -0.0,  1,   -1,      0.05,         0.25,  0.3,     0.35,    17.5,   18,  30,
                           45, 99,    300, 50,      150,          0.001, 50.0005, 49.9995, 200000, 2.5, 1e18,
                           -7, 1e300, 250, DBL_MIN, DBL_TRUE_MIN, -0.05, 0.00125, 1.00175, 4.00275};
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

}  // namespace postern::owner
