// Files that are packed, separated otherwise, or no CSV at all.
#include <zlib.h>
#include <zstd.h>

#include "postern/core/error.hpp"
#include "postern/owner/counts_table.hpp"

#include "csv_support.hpp"

namespace postern::owner {
namespace {

using namespace std::string_literals;

std::string gzip(const std::string& text) {
  z_stream state{};
  EXPECT_EQ(deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&state, text.size()), '\0');
  std::string copy = text;
  state.next_in = reinterpret_cast<Bytef*>(copy.data());
  state.avail_in = static_cast<uInt>(copy.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

/// Records of which no two lines are alike for long, so that they fill many blocks.
std::string long_csv() {
  std::string text = "id,a,b\n";
  std::uint64_t state = 7;
  for (int i = 0; i < 60'000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += std::to_string(state) + (i % 3 == 0 ? ",x," : ",\"p,q\",") + std::to_string(state >> 61) + "\n";
  }
  return text;
}

Error error_of(const std::string& content, char delimiter = ',') {
  const TemporaryFile file(content);
  try {
    (void)CsvFile(file.path(), two_columns(), {"a", "b"}, std::nullopt, delimiter).read(1);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return Error(ErrorCode::internal, {});
}

bool says(const Error& error, const std::string& words) {
  return std::string(error.what()).find(words) != std::string::npos;
}

TEST(PackedCsv, MeansWhatTheFileMeansUnpacked) {
  const std::string text = long_csv();
  const Rows rows = read_rows(text, two_columns());
  ASSERT_EQ(rows.size(), 60'000u);
  const std::size_t half = text.size() / 2;
  EXPECT_EQ(read_rows(gzip(text), two_columns()), rows);
  EXPECT_EQ(read_rows(zstd(text), two_columns()), rows);
  EXPECT_EQ(read_rows(gzip(text.substr(0, half)) + gzip(text.substr(half)), two_columns()), rows);
  EXPECT_EQ(read_rows(zstd(text.substr(0, half)) + zstd(text.substr(half)), two_columns()), rows);
  EXPECT_EQ(read_rows(gzip("a,b\nx,1"), two_columns()), (Rows{{0, 1}}));
}

TEST(PackedCsv, CountsToo) {
  const TemporaryFile file(gzip("a,count\nx,5\ny,1e3\n"));
  CountsTable table(file.path(), two_columns(), {"a"});
  table.read();
  EXPECT_EQ(table.total(), 1005);
}

TEST(PackedCsv, ADamagedFileIsRefusedAsAWhole) {
  for (const bool by_zstd : {false, true}) {
    const std::string good = by_zstd ? zstd(long_csv()) : gzip(long_csv());
    std::string flipped = good;
    flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 0x55);
    for (const std::string& bad : {good.substr(0, good.size() - 1), good.substr(0, good.size() / 2),
                                   good.substr(0, 12), good + "more", good + good.substr(0, 20), flipped}) {
      const TemporaryFile file(bad);
      try {
        (void)CsvFile(file.path(), two_columns(), {"a", "b"}).read(1);
        // Frames of zstd that hold no checksum cannot tell every damage; then it is read as it stands.
        EXPECT_TRUE(by_zstd && bad == flipped);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::input_unreadable);
        EXPECT_TRUE(says(error, "damaged or cut short")) << error.what();
      }
    }
  }
}

TEST(Delimiters, SeparateFieldsAsCommasDo) {
  for (const char between : {';', '\t', '|'}) {
    std::string text = "b,a\n3,x\n4,\"y\"\n5,\"u\"\"v\"\n6,\"p;q\"\n7\n8,x,x\n";
    for (char& c : text) c = c == ',' ? between : c;
    const TemporaryFile file(text);
    const Rows rows =
        rows_of(CsvFile(file.path(), two_columns(), {"a", "b"}, std::nullopt, between).read(1), {"a", "b"});
    EXPECT_EQ(rows, (Rows{{0, 3}, {1, 4}, {4, 5}, {6, 6}, {5, 7}, {5, 7}}));
    const TemporaryFile quoted("a" + std::string(1, between) + "b\n\"p,q\"" + between + "1\np,q" + between +
                               "2\n");
    EXPECT_EQ(
        rows_of(CsvFile(quoted.path(), two_columns(), {"a", "b"}, std::nullopt, between).read(1), {"a", "b"}),
        (Rows{{3, 1}, {3, 2}}));
  }
}

TEST(Delimiters, AreNamed) {
  EXPECT_EQ(parse_delimiter(std::nullopt), ',');
  EXPECT_EQ(parse_delimiter(";"), ';');
  EXPECT_EQ(parse_delimiter("|"), '|');
  for (const char* tab : {"\t", "\\t", "tab"}) EXPECT_EQ(parse_delimiter(tab), '\t');
  for (const char* none : {"", ";;", "x", "\"", "\n", " "}) EXPECT_THROW((void)parse_delimiter(none), Error);
}

TEST(Delimiters, AnotherOneInTheHeaderIsRecognised) {
  EXPECT_TRUE(says(error_of("a;b\nx;1\n"), "--delimiter ;"));
  EXPECT_TRUE(says(error_of("\"a\";\"b\"\nx;1\n"), "--delimiter ;"));
  EXPECT_TRUE(says(error_of("a\tb\nx\t1\n"), "--delimiter tab"));
  EXPECT_TRUE(says(error_of("a,b\nx,1\n", ';'), "--delimiter ,"));
  EXPECT_EQ(error_of("a|b\nx|1\n").code(), ErrorCode::no_header);
}

TEST(ForeignFiles, AreCalledByTheirName) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"PK\x03\x04\x14\0\x06\0"s, "spreadsheet"},
      {"\xD0\xCF\x11\xE0\xA1\xB1"s, "spreadsheet"},
      {"\xFF\xFE"
       "a\0,\0b\0"s,
       "UTF-16"},
      {"\xFE\xFF\0a\0,\0b"s, "UTF-16"},
      {"a\0,\0b\0\n\0"s, "UTF-16"},
      {"PAR1\x15\x04\x15"s, "Parquet"},
      {"ARROW1\0\0"s, "Arrow"},
      {"\xFF\xFF\xFF\xFF\x78\0\0\0"s, "Arrow"},
      {"\xFD\x37zXZ\0"s, "xz"},
      {"BZh91AY&SY\x12"s, "bzip2"},
      {"SQLite format 3\0"s, "SQLite"},
  };
  for (const auto& [content, name] : files) {
    const Error error = error_of(content);
    EXPECT_EQ(error.code(), ErrorCode::input_unreadable) << name;
    EXPECT_TRUE(says(error, name)) << error.what();
  }
  EXPECT_EQ(read_csv_header(TemporaryFile("PAR1,BZh9,PK\n").path()),
            (std::vector<std::string>{"PAR1", "BZh9", "PK"}));
}

TEST(ForeignFiles, NamesInOtherCapitalsAreRecognised) {
  for (const char* header : {"A,B\n", "A,b\n"}) {
    const Error error = error_of(header);
    EXPECT_EQ(error.code(), ErrorCode::column_absent);
    EXPECT_TRUE(says(error, "has 'A': spell them alike")) << error.what();
  }
}

TEST(CsvNames, ALineThatLooksLikeARecordIsNoHeader) {
  for (const char* line :
       {"smoker,41,no", "yes,no", "no", "a,", ",a", "a,b,a", "1e5,x", "2020-01-31,x", "2020-01-31T10:00,x",
        "nan,x", "12/05/2020,x", "a, NULL", "Ann,ann@example.org", "-3,x", "Female,x", "3.5", "a;b;c"}) {
    const TemporaryFile file(std::string(line) + "\nx,y\n");
    try {
      (void)read_csv_header(file.path());
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::no_header) << line;
      EXPECT_FALSE(std::string(line).size() > 3 && says(error, line)) << error.what();
    }
  }
  for (const char* line :
       {"id,No,age", "2019_income,x1", "m,f", "Größe,年齢", "nation,infant", "date-of-birth"})
    EXPECT_NO_THROW((void)read_csv_header(TemporaryFile(std::string(line) + "\n").path())) << line;
}

}  // namespace
}  // namespace postern::owner
