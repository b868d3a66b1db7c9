#include "postern/owner/csv.hpp"

#include <filesystem>
#include <random>
#include <thread>

#include <sys/stat.h>

#include "postern/core/error.hpp"
#include "postern/model/encode.hpp"

#include "csv_support.hpp"

namespace postern::owner {
namespace {

const std::vector<std::uint32_t> kBad = {5, 7};  // both fields missing

TEST(Csv, ReadsLinesAsRecords) {
  EXPECT_EQ(read_rows("a,b\nx,1\ny,2\n", two_columns()), (Rows{{0, 1}, {1, 2}}));
}

TEST(Csv, LastLineNeedsNoNewline) {
  EXPECT_EQ(read_rows("a,b\nx,1\ny,2", two_columns()), (Rows{{0, 1}, {1, 2}}));
  EXPECT_EQ(read_rows("a,b", two_columns()), Rows{});
  EXPECT_EQ(read_rows("a,b\n", two_columns()), Rows{});
}

TEST(Csv, TakesByteOrderMarkAndCarriageReturns) {
  EXPECT_EQ(read_rows("\xEF\xBB\xBF"
                      "a,b\r\nx,1\r\ny,2\r\n",
                      two_columns()),
            (Rows{{0, 1}, {1, 2}}));
  EXPECT_EQ(read_rows("a,b\r\nx,1\ny,2\r", two_columns()), (Rows{{0, 1}, {1, 2}}));
  EXPECT_EQ(read_rows("a,b\r\n\"x\",\"1\"\r\n", two_columns()), (Rows{{0, 1}}));
}

TEST(Csv, FindsColumnsByNameAmongOthers) {
  EXPECT_EQ(read_rows("id, b ,\"a\",z\n17,3,y,\n18,4,x,k\n", two_columns()), (Rows{{1, 3}, {0, 4}}));
}

TEST(Csv, UndoesQuotes) {
  EXPECT_EQ(read_rows("a,b\n\"x\",1\n\"p,q\",\"2\"\n\"u\"\"v\",3\nu\"v,4\n\"\",5\n", two_columns()),
            (Rows{{0, 1}, {3, 2}, {4, 3}, {4, 4}, {5, 5}}));
}

TEST(Csv, TrimsBlanks) { EXPECT_EQ(read_rows("a, b\n x ,\t1 \n", two_columns()), (Rows{{0, 1}})); }

TEST(Csv, ABadLineIsOneRecordOfMissingFields) {
  const std::string before = "x,1\n";
  const std::string behind = "y,2\n";
  using namespace std::string_literals;
  const std::vector<std::string> bad = {
      "",                                // empty
      "\r",                              // empty, CRLF
      "x",                               // too few fields
      "x,1,2",                           // too many
      "x,1,",                            // too many
      "\"x,1",                           // open quote
      "x,\"1",                           // open quote
      "\"x\"y,1",                        // something behind a closing quote
      "\"x\" ,1",                        //
      "\"\"\"x,1",                       // open after an escape
      "x,1\0"s,                          // NUL
      "\0x,1"s,                          //
      "x\xFF,1",                         // not UTF-8
      "x,1\xC3",                         // cut
      "\xC0\xAF,1",                      // overlong
      "\xED\xA0\x80,1",                  // surrogate
      "\xF4\x90\x80\x80,1",              // past U+10FFFF
      "x\xE9,\"1\"",                     // Latin-1
      "\"p,q\xFF\",1",                   //
      "x," + std::string(1 << 20, '1'),  // over 1 MiB
      std::string(3 << 20, ','),         //
  };
  for (const std::string& line : bad) {
    EXPECT_EQ(read_rows("a,b\n" + before + line + "\n" + behind, two_columns()), (Rows{{0, 1}, kBad, {1, 2}}))
        << line.substr(0, 20);
    if (!line.empty()) {
      EXPECT_EQ(read_rows("a,b\n" + before + line, two_columns()), (Rows{{0, 1}, kBad}))
          << line.substr(0, 20);
    }
  }
}

TEST(Csv, ALineOfExactlyOneMebibyteIsGood) {
  const std::string line = "x," + std::string((1 << 20) - 3, '0') + "1";
  EXPECT_EQ(read_rows("a,b\n" + line + "\nx,2\n", two_columns()), (Rows{{0, 1}, {0, 2}}));
  EXPECT_EQ(read_rows("a,b\n" + line + "\r\nx,2\n", two_columns()), (Rows{{0, 1}, {0, 2}}));
  EXPECT_EQ(read_rows("a,b\nx," + std::string((1 << 20) - 2, '0') + "1\nx,2\n", two_columns()),
            (Rows{kBad, {0, 2}}));
}

TEST(Csv, DroppedRecordsAreGone) {
  const model::Schema schema({
      {"a", model::Categories{{"x", "y"}}, model::MapTo{0}, model::Drop{}, true},
      {"b", model::IntegerRange{0, 9, {}}, model::Drop{}, model::Clamp{}, true},
  });
  EXPECT_EQ(read_rows("a,b\nx,1\nz,2\ny,\n,3\nbad\ny,50\n\"z\",\"4\"\n\"y,\",5\n", schema),
            (Rows{{0, 1}, {0, 3}, {1, 9}}));
}

TEST(Csv, OutOfRangeRecordsCountOnce) {
  const model::Schema schema({{"b", model::IntegerRange{0, 9, {}}, model::MapTo{0}, model::Clamp{}, true}});
  EXPECT_EQ(read_rows("b\n5\n10\n-1\n99999999999\n7\n", schema), (Rows{{5}, {9}, {0}, {9}, {7}}));
}

TEST(Csv, AnUndeclaredCategoryIsStillARecord) {
  const model::Schema schema({{"a", model::Categories{{"x", "y"}}, model::MapTo{0}, model::MapTo{1}, true}});
  EXPECT_EQ(read_rows("a\nx\nzebra\ny\nquagga\n", schema), (Rows{{0}, {1}, {1}, {1}}));
}

TEST(Csv, WideColumnsGetWiderCodes) {
  const model::Schema schema({{"n", model::IntegerRange{0, 99999, {}}, model::MapTo{0}, model::Clamp{}, true},
                              {"m", model::IntegerRange{0, 999, {}}, model::MapTo{0}, model::Clamp{}, true}});
  EXPECT_EQ(read_rows("n,m\n70000,300\n5,999\n", schema), (Rows{{70000, 300}, {5, 999}}));
}

// The definition, byte by byte: the fields of a line, or nothing if it is bad.
std::optional<std::vector<std::string>> split_by_definition(std::string line, std::size_t count) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.empty() || line.find('\0') != std::string::npos || line.find('\xFF') != std::string::npos)
    return {};
  std::vector<std::string> fields(1);
  enum { at_start, bare, quoted, closed } state = at_start;
  for (const char c : line) {
    if (state == quoted) {
      if (c == '"') {
        state = closed;
      } else {
        fields.back() += c;
      }
    } else if (c == ',') {
      fields.emplace_back();
      state = at_start;
    } else if (state == at_start && c == '"') {
      state = quoted;
    } else if (state == closed) {
      if (c != '"') return {};
      fields.back() += c;
      state = quoted;
    } else {
      fields.back() += c;
      state = bare;
    }
  }
  if (state == quoted || fields.size() != count) return {};
  return fields;
}

std::vector<std::uint32_t> encode_by_definition(const std::string& line, const model::Schema& schema) {
  const auto fields = split_by_definition(line, schema.columns().size());
  std::vector<std::uint32_t> levels;
  for (std::size_t c = 0; c < schema.columns().size(); ++c) {
    const model::Encoder encoder(schema.columns()[c]);
    levels.push_back(fields ? encoder.encode(model::Field((*fields)[c])) : encoder.missing());
  }
  return levels;
}

std::string random_line(std::mt19937_64& random) {
  static const std::vector<std::string> kNice = {"x,1",    "y,2",    "\"x\",3",      "\"p,q\",4", "é,5",
                                                 "none,6", "u\"v,7", "\"u\"\"v\",8", "x,77"};
  static const std::vector<std::string> kBits = {
      "x", "y", ",", "\"", "\"\"", "1", "23", " ", "\r", "é", "\xFF", std::string(1, '\0'), ",\"", "\","};
  if (random() % 2 == 0) return kNice[random() % kNice.size()];
  std::string line;
  for (std::size_t i = random() % 9; i > 0; --i) line += kBits[random() % kBits.size()];
  return line;
}

TEST(Csv, AgreesWithTheDefinitionOnHostileLines) {
  std::mt19937_64 random(11);
  const model::Schema schema = two_columns();
  for (int round = 0; round < 60; ++round) {
    std::string content = "a,b\n";
    Rows expected;
    for (int i = 0; i < 200; ++i) {
      const std::string line = random_line(random);
      content += line + "\n";
      expected.push_back(encode_by_definition(line, schema));
    }
    ASSERT_EQ(read_rows(content, schema), expected);
  }
}

TEST(Csv, ReplacingOneLineChangesAtMostOneRecord) {
  std::mt19937_64 random(12);
  const model::Schema schema = two_columns();
  std::vector<std::string> lines;
  for (int i = 0; i < 40; ++i) lines.push_back(random_line(random));
  const auto read = [&] {
    std::string content = "a,b\n";
    for (const std::string& line : lines) content += line + "\n";
    return read_rows(content, schema);
  };
  const Rows before = read();
  ASSERT_EQ(before.size(), lines.size());
  for (int round = 0; round < 300; ++round) {
    const std::size_t at = random() % lines.size();
    const std::string kept =
        std::exchange(lines[at], round % 50 == 0 ? std::string(1 << 21, '"') : random_line(random));
    const Rows after = read();
    lines[at] = kept;
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (i == at) continue;
      ASSERT_EQ(after[i], before[i]) << "line " << at << " changed record " << i;
    }
  }
}

/// Several chunks of the parallel reader, with lines of every kind across their edges.
std::string large_file() {
  std::mt19937_64 random(13);
  std::string block;
  for (int i = 0; i < 60000; ++i) block += random_line(random) + (i % 3 == 0 ? "\r\n" : "\n");
  std::string content = "a,b\n";
  while (content.size() < (std::size_t{17} << 20)) {
    content += block;
    content += "x," + std::string((1 << 20) - 40 + random() % 80, '0') + "3\n";
  }
  return content + "y,9";
}

TEST(Csv, AnyNumberOfThreadsAndAPipeReadTheSame) {
  const std::string content = large_file();
  const TemporaryFile file(content);
  const model::Schema schema = two_columns();
  const std::vector<std::string> names = {"a", "b"};
  const Records one = CsvFile(file.path(), schema, names).read(1);
  const Records four = CsvFile(file.path(), schema, names).read(4);
  EXPECT_EQ(one.rows(), static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n')));
  const std::string pipe = file.path() + ".pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << content; });
  const Records piped = CsvFile(pipe, schema, names).read(4);
  writer.join();
  std::filesystem::remove(pipe);
  for (const std::string& name : names) {
    EXPECT_TRUE(one.column(name) == four.column(name));
    EXPECT_TRUE(one.column(name) == piped.column(name));
  }
}

ErrorCode failure(const std::string& path, const std::string& text = "") {
  try {
    CsvFile file(path, two_columns(), {"a"});
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    return error.code();
  }
  return ErrorCode::usage;
}
ErrorCode failure_of(const std::string& content, const std::string& text = "") {
  return failure(TemporaryFile(content).path(), text);
}

TEST(CsvHeader, FaultsOfTheWholeFile) {
  using namespace std::string_literals;
  EXPECT_EQ(failure("/nonexistent/file.csv", "/nonexistent/file.csv"), ErrorCode::input_missing);
  EXPECT_EQ(failure(testing::TempDir()), ErrorCode::input_unreadable);
  EXPECT_EQ(failure_of(""), ErrorCode::no_header);
  EXPECT_EQ(failure_of("\n"), ErrorCode::no_header);
  EXPECT_EQ(failure_of("\xEF\xBB\xBF"), ErrorCode::no_header);
  EXPECT_EQ(failure_of("a,b\0\n"s), ErrorCode::no_header);
  EXPECT_EQ(failure_of("a,\"b\n"), ErrorCode::no_header);
  EXPECT_EQ(failure_of("a,b,\xFF\n"), ErrorCode::no_header);
  EXPECT_EQ(failure_of("a,b\rx,1\ry,2\r"), ErrorCode::no_header);
  EXPECT_EQ(failure_of(std::string(2 << 20, 'a')), ErrorCode::no_header);
  EXPECT_EQ(failure_of("a,c\n", "'b'"), ErrorCode::column_absent);
  EXPECT_EQ(failure_of("a,b,a\n", "'a'"), ErrorCode::column_repeated);
  EXPECT_EQ(failure_of("a,b,c,c\n"), ErrorCode::usage) << "columns the study does not know may repeat";
}

TEST(CsvHeader, SuggestsTheNearestName) {
  const model::Schema schema(
      {{"smoker", model::Categories{{"no", "yes"}}, model::MapTo{0}, model::MapTo{0}, true},
       {"cancer", model::Categories{{"no", "yes"}}, model::MapTo{0}, model::MapTo{0}, true}});
  const TemporaryFile file("smokr,cancer\nno,no\n");
  try {
    CsvFile reader(file.path(), schema, {"smoker"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'smokr'"), std::string::npos) << error.what();
  }
}

TEST(CsvHeader, ARecordInItsPlaceIsNotQuoted) {
  const model::Schema schema(
      {{"smoker", model::Categories{{"no", "yes"}}, model::MapTo{0}, model::MapTo{0}, true}});
  const TemporaryFile file("smoke,57\nyes,23\n");
  try {
    CsvFile reader(file.path(), schema, {"smoker"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::no_header);
    EXPECT_EQ(std::string(error.what()).find("smoke,"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("'smoke'"), std::string::npos) << error.what();
  }
}

TEST(CsvHeader, NamesOnly) {
  EXPECT_EQ(read_csv_header(TemporaryFile("\xEF\xBB\xBFid, \"first, last\" ,\"a\"\"b\"\r\n1,2,3\n").path()),
            (std::vector<std::string>{"id", "\"first", "last\"", "a\"b"}));
}

TEST(CsvHeader, WantedColumnMustBeDeclared) {
  const TemporaryFile file("a,b,c\n");
  EXPECT_THROW(CsvFile(file.path(), two_columns(), {"c"}), Error);
}

TEST(Csv, AFileCutShortIsAFaultOfTheWholeFile) {
  std::string content = "a,b\n";
  for (int i = 0; i < 100000; ++i) content += "x,1\n";
  const TemporaryFile file(content);
  CsvFile reader(file.path(), two_columns(), {"a"});
  std::filesystem::resize_file(file.path(), 200001);
  try {
    (void)std::move(reader).read(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input_unreadable);
    EXPECT_EQ(std::string(error.what()), "the file '" + file.path() + "' was cut short while it was read")
        << "no position";
  }
}

}  // namespace
}  // namespace postern::owner
