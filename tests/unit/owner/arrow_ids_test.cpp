// People's ids in Arrow columns: with one key, the same rows are kept as from a CSV file.
#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "arrow_as_csv.hpp"

namespace postern::owner {
namespace {

class ArrowPeople : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 500;

  ArrowPeople() {
    Entropy entropy;
    bound_ = {"id", 2, std::make_shared<const BoundingKey>(entropy)};
    for (std::size_t i = 0; i < kRows; ++i) {
      ids_.push_back(static_cast<std::int64_t>(random_() % 60) - 5);
      ages_.emplace_back(static_cast<std::int32_t>(random_() % 12));
      if (random_() % 9 == 0) ids_.back().reset();
      if (random_() % 9 == 0) ages_.back().reset();
    }
  }

  [[nodiscard]] model::Schema schema() const {
    return model::Schema({{"age", model::IntegerRange{0, 9, {}}, model::MapTo{3}, model::Drop{}, true}});
  }

  [[nodiscard]] Rows from_csv(const std::vector<std::optional<std::string>>& ids) const {
    std::string csv = "id,age\n";
    for (std::size_t i = 0; i < kRows; ++i)
      csv += ids[i].value_or("") + "," + (ages_[i] ? std::to_string(*ages_[i]) : "") + "\n";
    const TemporaryFile file(csv);
    return rows_of(CsvFile(file.path(), schema(), {"age"}, bound_).read(2), {"age"});
  }

  template <class Make>
  [[nodiscard]] Rows from_arrow(Make make_ids) {
    HandStream hand;
    for (std::size_t begin = 0; begin < kRows; begin += 70) {
      const std::size_t end = std::min(kRows, begin + 70);
      HandArray ids = make_ids(begin, end);
      HandArray ages = maker_.numbers("i", slice(ages_, begin, end));
      ids.name = "id";
      ages.name = "age";
      hand.batches.push_back(batch_of({ids, ages}, static_cast<std::int64_t>(end - begin)));
    }
    hand.schema = hand.batches.at(0);
    ArrowArrayStream stream = hand.open();
    return rows_of(ArrowStream(&stream, schema(), {"age"}, bound_).read(2), {"age"});
  }

  [[nodiscard]] Texts id_texts() const {
    Texts texts;
    for (const auto& id : ids_) texts.push_back(id ? std::optional(std::to_string(*id)) : std::nullopt);
    return texts;
  }

  template <class T>
  void expect_same(const char* format) {
    std::vector<std::optional<T>> values;
    for (const auto& id : ids_) values.push_back(id ? std::optional<T>(static_cast<T>(*id)) : std::nullopt);
    EXPECT_EQ(
        from_arrow([&](std::size_t b, std::size_t e) { return maker_.numbers(format, slice(values, b, e)); }),
        from_csv(id_texts()))
        << format;
  }

  std::mt19937_64 random_{20260702};
  ArrayMaker maker_{random_};
  ContributionBound bound_;
  std::vector<std::optional<std::int64_t>> ids_;
  std::vector<std::optional<std::int32_t>> ages_;
};

TEST_F(ArrowPeople, WholeNumbersAndFloats) {
  expect_same<std::int8_t>("c");
  expect_same<std::int16_t>("s");
  expect_same<std::int32_t>("i");
  expect_same<std::int64_t>("l");
  expect_same<float>("f");
  expect_same<double>("g");
  expect_same<Int128>("d:38,0");
  expect_same<std::int32_t>("d:9,0,32");
  for (auto& id : ids_) id = id ? std::optional(std::abs(*id)) : std::nullopt;
  expect_same<std::uint8_t>("C");
  expect_same<std::uint16_t>("S");
  expect_same<std::uint32_t>("I");
  expect_same<std::uint64_t>("L");
}

TEST_F(ArrowPeople, TextsAndDictionaries) {
  Texts ids = id_texts();
  for (auto& id : ids) {
    if (id && random_() % 5 == 0) *id += " of a street with a long name";
    if (id && random_() % 7 == 0) *id = "  " + *id + "\t";
    if (id && random_() % 11 == 0) *id = "  ";
  }
  const Rows expected = from_csv(ids);
  const auto same = [&](auto make) {
    EXPECT_EQ(from_arrow([&](std::size_t b, std::size_t e) { return make(slice(ids, b, e)); }), expected);
  };
  same([&](const Texts& part) { return maker_.texts<std::int32_t>("u", part); });
  same([&](const Texts& part) { return maker_.texts<std::int64_t>("U", part); });
  same([&](const Texts& part) { return maker_.views("vu", part); });
  same([&](const Texts& part) {
    std::vector<std::optional<std::uint16_t>> indices;
    for (std::size_t i = 0; i < part.size(); ++i) indices.emplace_back(static_cast<std::uint16_t>(i));
    HandArray array = maker_.numbers("S", indices);
    array.dictionary = std::make_shared<HandArray>(maker_.texts<std::int32_t>("u", part));
    return array;
  });
}

TEST_F(ArrowPeople, WithoutIdsNobodyIsKept) {
  EXPECT_EQ(from_arrow([](std::size_t b, std::size_t e) {
              HandArray array;
              array.format = "n";
              array.length = static_cast<std::int64_t>(e - b);
              return array;
            }),
            Rows{});
}

TEST_F(ArrowPeople, TheColumnOfIdsMustBeThere) {
  bound_.column = "person";
  try {
    (void)from_arrow([&](std::size_t b, std::size_t e) { return maker_.numbers("l", slice(ids_, b, e)); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::column_absent);
  }
}

}  // namespace
}  // namespace postern::owner
