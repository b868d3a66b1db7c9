#include "postern/owner/arrow_stream.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/owner/source.hpp"

#include "arrow_support.hpp"
#include "arrow_values.hpp"
#include "csv_support.hpp"

namespace postern::owner {
namespace {

HandArray named(HandArray array, const std::string& name) {
  array.name = name;
  return array;
}

/// A batch with the columns a (text) and b (32-bit integers) of two_columns().
HandArray small_batch(const Texts& a, const std::vector<std::optional<std::int32_t>>& b) {
  std::mt19937_64 random(a.size());
  ArrayMaker maker(random);
  return batch_of({named(maker.texts<std::int32_t>("u", a), "a"), named(maker.numbers("i", b), "b")},
                  static_cast<std::int64_t>(a.size()));
}

HandStream stream_of(std::vector<HandArray> batches) {
  HandStream stream;
  stream.schema = batches.at(0);
  stream.batches.assign(batches.begin(), batches.end());
  return stream;
}

Rows read_stream(HandStream& hand, const model::Schema& schema, int threads = 1) {
  ArrowArrayStream stream = hand.open();
  const auto names = names_of(schema);
  return rows_of(ArrowStream(&stream, schema, names).read(threads), names);
}

Error error_of(HandStream& hand, const model::Schema& schema) {
  try {
    (void)read_stream(hand, schema);
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("canary"), std::string::npos);
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::internal, {});
}

TEST(ArrowStream, ReadsBatchesInTheirOrder) {
  HandStream hand = stream_of({small_batch({"x", "y"}, {1, 2}), small_batch({}, {}),
                               small_batch({std::nullopt, "zz", "p,q"}, {3, std::nullopt, 40})});
  EXPECT_EQ(read_stream(hand, two_columns()), (Rows{{0, 1}, {1, 2}, {5, 3}, {6, 7}, {3, 8}}));
  EXPECT_EQ(hand.batches_released, 3);
  EXPECT_EQ(hand.released, 1);
}

TEST(ArrowStream, MovesTheStreamAndReleasesItOnce) {
  HandStream hand = stream_of({small_batch({"x"}, {1})});
  ArrowArrayStream stream = hand.open();
  {
    const ArrowStream table(&stream, two_columns(), {"a"});
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(hand.released, 0);
  }
  EXPECT_EQ(hand.released, 1);
}

TEST(ArrowStream, FindsColumnsByNameAmongOthers) {
  std::mt19937_64 random(1);
  HandArray batch = small_batch({"x", "y"}, {1, 2});
  std::swap(batch.children[0], batch.children[1]);
  HandArray list;
  list.format = "+l";
  list.name = "baggage";
  batch.children.insert(batch.children.begin(), list);
  HandStream hand = stream_of({batch});
  EXPECT_EQ(read_stream(hand, two_columns()), (Rows{{0, 1}, {1, 2}}));
}

TEST(ArrowStream, RowsOfASlicedTable) {
  HandArray batch = small_batch({"x", "y", "x", "y"}, {1, 2, 3, 4});
  batch.offset = 1;
  batch.length = 2;
  HandStream hand = stream_of({batch});
  EXPECT_EQ(read_stream(hand, two_columns()), (Rows{{1, 2}, {0, 3}}));
}

TEST(ArrowStream, ARowThatIsNullHasOnlyMissingFields) {
  HandArray batch = small_batch({"x", "y", "x", "y"}, {1, 2, 3, 4});
  batch.buffers[0] = bits_of({true, true, false, true});
  batch.null_count = 1;
  HandStream hand = stream_of({batch});
  EXPECT_EQ(read_stream(hand, two_columns()), (Rows{{0, 1}, {1, 2}, {5, 7}, {1, 4}}));
}

TEST(ArrowStream, DroppedRecordsAreGone) {
  const model::Schema schema({
      {"a", model::Categories{{"x", "y"}}, model::MapTo{0}, model::Drop{}, true},
      {"b", model::IntegerRange{0, 9, {}}, model::Drop{}, model::Clamp{}, true},
  });
  for (const int threads : {1, 2}) {
    HandStream hand = stream_of({small_batch({"x", "z", "y", std::nullopt}, {1, 2, std::nullopt, 3}),
                                 small_batch({"y", "q", "y"}, {50, 1, -4})});
    EXPECT_EQ(read_stream(hand, schema, threads), (Rows{{0, 1}, {0, 3}, {1, 9}, {1, 0}}));
  }
}

TEST(ArrowStream, TheSameForAnyNumberOfThreads) {
  Texts a;
  std::vector<std::optional<std::int32_t>> b;
  for (std::int32_t i = 0; i < 100'000; ++i) {
    a.emplace_back(i % 3 == 0 ? "x" : (i % 7 == 0 ? "u\"v" : "nothing"));
    b.emplace_back(i % 11);
  }
  std::vector<Rows> results;
  for (const int threads : {1, 2, 3}) {
    HandStream hand = stream_of({small_batch(a, b), small_batch({"x"}, {1}), small_batch(a, b)});
    results.push_back(read_stream(hand, two_columns(), threads));
  }
  EXPECT_EQ(results[0].size(), 200'001u);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(ArrowStream, RefusesAColumnThatIsAbsentOrRepeated) {
  HandArray batch = small_batch({"x"}, {1});
  batch.children[1].name = "smokr";
  HandStream absent = stream_of({batch});
  const Error first = error_of(absent, model::Schema({{"smoker", model::IntegerRange{0, 9, {}}}}));
  EXPECT_EQ(first.code(), ErrorCode::column_absent);
  EXPECT_STREQ(first.what(), "the table has no column 'smoker'; did you mean 'smokr'?");
  EXPECT_EQ(absent.batches.size(), 1u) << "no record is read before the columns are known";

  batch.children[1].name = "a";
  batch.children.push_back(named(batch.children[0], "b"));
  HandStream repeated = stream_of({batch});
  EXPECT_EQ(error_of(repeated, two_columns()).code(), ErrorCode::column_repeated);
}

TEST(ArrowStream, RefusesTypesWithoutValues) {
  for (const char* format : {"+l", "+s", "tdD", "tsu:UTC", "tiM", "w:16", "+r", "d:5", "d:5,2,77", "?", ""}) {
    HandArray batch = small_batch({"x"}, {1});
    batch.children[0].format = format;
    HandStream hand = stream_of({batch});
    const Error error = error_of(hand, two_columns());
    EXPECT_EQ(error.code(), ErrorCode::unsupported) << format;
    EXPECT_EQ(hand.batches.size(), 1u) << format;
  }
}

TEST(ArrowStream, RefusesBooleansWithoutLabels) {
  std::mt19937_64 random(1);
  HandArray batch = small_batch({"x"}, {1});
  batch.children[0] = named(ArrayMaker(random).booleans({true}), "a");
  HandStream hand = stream_of({batch});
  EXPECT_EQ(error_of(hand, two_columns()).code(), ErrorCode::unsupported);
}

std::shared_ptr<HandArray> dictionary_of(const char* format) {
  auto values = std::make_shared<HandArray>();
  values->format = format;
  return values;
}

TEST(ArrowStream, RefusesNumbersForCategoriesThatAreNone) {
  const auto code_of = [](const char* format, std::vector<std::string> labels, bool in_dictionary = false) {
    HandArray batch = small_batch({"x"}, {1});
    HandArray& column = batch.children[0];
    column.format = in_dictionary ? "i" : format;
    if (in_dictionary) column.dictionary = dictionary_of(format);
    HandStream hand;
    hand.schema = batch;
    hand.fails_at_end = true;  // what is not refused by its type
    const model::Schema schema(
        {{"a", model::Categories{std::move(labels)}, model::MapTo{0}, model::MapTo{0}}});
    return error_of(hand, schema).code();
  };
  for (const char* format : {"c", "L", "l", "e", "f", "g", "d:5,2"}) {
    EXPECT_EQ(code_of(format, {"no", "yes"}), ErrorCode::unsupported) << format;
    EXPECT_EQ(code_of(format, {"no", "yes"}, true), ErrorCode::unsupported) << format;
    EXPECT_EQ(code_of(format, {"1.0", "01", "1e3", "-0", "+1", ".5", "-"}), ErrorCode::unsupported) << format;
    EXPECT_EQ(code_of(format, {"0", "1"}), ErrorCode::input_unreadable) << format;
    EXPECT_EQ(code_of(format, {"none", "-7"}, true), ErrorCode::input_unreadable) << format;
  }
  EXPECT_EQ(code_of("l", {"0.5", "2.5"}), ErrorCode::unsupported);
  EXPECT_EQ(code_of("g", {"0.5", "2.5"}), ErrorCode::input_unreadable);
  EXPECT_EQ(code_of("d:5,2", {"0.5", "2.5"}), ErrorCode::input_unreadable);
  EXPECT_EQ(code_of("u", {"no", "yes"}), ErrorCode::input_unreadable);
}

TEST(ArrowStream, RefusesExtensionTypesThatMeanSomethingElse) {
  for (const bool in_dictionary : {false, true}) {
    HandArray batch = small_batch({"x"}, {1});
    HandArray& column = batch.children[1];
    if (in_dictionary) column.dictionary = dictionary_of("l");
    (in_dictionary ? *column.dictionary : column).extension = "pandas.period";
    HandStream hand = stream_of({batch});
    const Error error = error_of(hand, two_columns());
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(error.what()).find("'pandas.period'"), std::string::npos);
  }
  HandArray batch = small_batch({"x"}, {1});
  batch.children[0].extension = "arrow.json";
  HandStream hand = stream_of({batch});
  hand.fails_at_end = true;
  EXPECT_EQ(error_of(hand, two_columns()).code(), ErrorCode::input_unreadable);
}

TEST(ArrowStream, AStreamThatBreaksOffIsUnreadable) {
  HandStream hand = stream_of({small_batch({"x"}, {1})});
  hand.fails_at_end = true;
  EXPECT_EQ(error_of(hand, two_columns()).code(), ErrorCode::input_unreadable);
  EXPECT_EQ(hand.batches_released, 1);
  EXPECT_EQ(hand.released, 1);
}

TEST(ArrowStream, ATableWithoutColumnsIsUnreadable) {
  HandArray column = small_batch({"x"}, {1}).children[0];
  HandStream hand = stream_of({column});
  EXPECT_EQ(error_of(hand, two_columns()).code(), ErrorCode::input_unreadable);
}

TEST(ArrowStream, BrokenArraysAreRefusedAndNeverReadPastTheirEnd) {
  using Break = std::function<void(HandArray&)>;
  const std::vector<Break> breaks = {
      [](HandArray& batch) { batch.length = -1; },
      [](HandArray& batch) { batch.offset = -1; },
      [](HandArray& batch) { batch.offset = INT64_MAX; },
      [](HandArray& batch) { batch.length = 3; },
      [](HandArray& batch) { batch.children.pop_back(); },
      [](HandArray& batch) { batch.children[0].length = 1; },
      [](HandArray& batch) { batch.children[0].offset = -4; },
      [](HandArray& batch) { batch.children[0].null_count = 99; },
      [](HandArray& batch) { batch.children[0].buffers.pop_back(); },
      [](HandArray& batch) { batch.children[0].buffers.clear(); },
      [](HandArray& batch) { batch.children[0].buffers[1].reset(); },
      [](HandArray& batch) { batch.children[0].buffers[2].reset(); },
      [](HandArray& batch) { batch.children[1].buffers[1].reset(); },
      [](HandArray& batch) { batch.children[1].buffers.emplace_back(); },
  };
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    HandArray batch = small_batch({"x", "y"}, {1, 2});
    HandStream hand = stream_of({batch});
    breaks[i](hand.batches[0]);
    EXPECT_EQ(error_of(hand, two_columns()).code(), ErrorCode::input_unreadable) << i;
    EXPECT_EQ(hand.batches_released, 1) << i;
  }
}

TEST(ArrowStream, AValueOutsideItsTextIsMissing) {
  HandArray batch = small_batch({"x", "y", "x", "y"}, {1, 2, 3, 4});
  HandArray& a = batch.children[0];
  a.offset = 0;
  a.buffers[0].reset();
  a.buffers[1] = bytes_of(std::vector<std::int32_t>{0, -5, 9, 1, 2});
  a.buffers[2] = std::vector<char>{'x', 'y'};
  HandStream hand = stream_of({batch});
  EXPECT_EQ(read_stream(hand, two_columns()), (Rows{{5, 1}, {5, 2}, {5, 3}, {1, 4}}));
}

TEST(ArrowStream, AnIndexOutsideItsDictionaryIsMissing) {
  std::mt19937_64 random(3);
  HandArray batch = small_batch({"x", "y", "x", "y"}, {1, 2, 3, 4});
  HandArray a = ArrayMaker(random).numbers<std::int8_t>("c", {0, 2, -1, 1});
  a.dictionary =
      std::make_shared<HandArray>(ArrayMaker(random).texts<std::int64_t>("U", {"y", std::nullopt}));
  batch.children[0] = named(a, "a");
  HandStream hand = stream_of({batch});
  EXPECT_EQ(read_stream(hand, two_columns()), (Rows{{1, 1}, {5, 2}, {5, 3}, {5, 4}}));
}

TEST(ArrowStream, AViewOutsideItsPartIsMissing) {
  std::mt19937_64 random(4);
  const std::string words = "a text of more than twelve bytes";
  HandArray batch = small_batch({"x", "y"}, {1, 2});
  HandArray a = ArrayMaker(random).views("vu", {words, "y"});
  a.name = "a";
  const auto at = static_cast<std::size_t>(a.offset) * 16;
  for (const std::uint32_t part : {2u, 0xFFFFFFFFu}) {
    std::memcpy(a.buffers[1]->data() + at + 8, &part, 4);
    batch.children[0] = a;
    HandStream hand = stream_of({batch});
    EXPECT_EQ(read_stream(hand, two_columns()), (Rows{{5, 1}, {1, 2}}));
  }
  const std::uint32_t good_part = 1;
  const std::uint32_t begin = 1000;
  std::memcpy(a.buffers[1]->data() + at + 8, &good_part, 4);
  std::memcpy(a.buffers[1]->data() + at + 12, &begin, 4);
  batch.children[0] = a;
  HandStream hand = stream_of({batch});
  EXPECT_EQ(read_stream(hand, two_columns()), (Rows{{5, 1}, {1, 2}}));
}

TEST(ArrowColumns, AreCheckedByTheirNamesAlone) {
  model::Study study;
  study.schema = two_columns();
  study.privacy.unit = model::PersonUnit{"who", 2};
  const auto code_of = [&](const std::vector<std::string>& names) {
    try {
      check_columns(names, study);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::internal;  // nothing was thrown
  };
  EXPECT_EQ(code_of({"b", "other", "who", "a", "other"}), ErrorCode::internal);
  EXPECT_EQ(code_of({"b", "who"}), ErrorCode::column_absent);
  EXPECT_EQ(code_of({"a", "b"}), ErrorCode::column_absent);
  EXPECT_EQ(code_of({"a", "b", "who", "b"}), ErrorCode::column_repeated);
  EXPECT_EQ(code_of({"a", "who", "b", "who"}), ErrorCode::column_repeated);
}

}  // namespace
}  // namespace postern::owner
