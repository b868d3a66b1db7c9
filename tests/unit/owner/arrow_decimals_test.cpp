// Decimals of every width, with nulls, slices and batches, mean what the CSV reader makes of their text.
#include <gtest/gtest.h>

#include "arrow_as_csv.hpp"

namespace postern::owner {
namespace {

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

using ArrowDecimals = ArrowTypes;

TEST_F(ArrowDecimals, Wide) {
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

TEST_F(ArrowDecimals, OfThirtyTwoBits) {
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

}  // namespace
}  // namespace postern::owner
