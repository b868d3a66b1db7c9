#include <algorithm>
#include <random>
#include <set>

#include "postern/core/error.hpp"
#include "postern/model/encode.hpp"

#include "csv_support.hpp"
#include "people_support.hpp"

namespace postern::owner {
namespace {

Rows read_people(const std::string& content, const model::Schema& schema, const ContributionBound& bound,
                 int threads = 1) {
  const TemporaryFile file(content);
  const auto names = names_of(schema);
  return rows_of(CsvFile(file.path(), schema, names, bound).read(threads), names);
}

TEST(CsvPeople, KeepsAtMostKRecordsOfEachId) {
  const std::string content = "id,a,b\nann,x,1\nbob,y,2\nann,x,1\nann,x,1\n\"ann\",x,1\n ann ,x,1\nbob,x,3\n";
  EXPECT_EQ(read_people(content, two_columns(), seeded_bound(3)),
            (Rows{{0, 1}, {1, 2}, {0, 1}, {0, 1}, {0, 3}}));
}

TEST(CsvPeople, IdsMayStandAnywhereAndBeQuoted) {
  for (const std::string content : {"id,a,b\nann,x,1\n\"ann\",y,2\n\"a,\"\"n\",\"p,q\",3\n",
                                    "a,id,b\nx,ann,1\ny,\"ann\",2\n\"p,q\",\"a,\"\"n\",3\n",
                                    "a,b,id\r\nx,1,ann\r\ny,2,\"ann\"\r\n\"p,q\",3,\"a,\"\"n\"\r\n"}) {
    EXPECT_EQ(read_people(content, two_columns(), seeded_bound(2)), (Rows{{0, 1}, {1, 2}, {3, 3}}))
        << content;
    EXPECT_EQ(read_people(content, two_columns(), seeded_bound(1)).size(), 2u) << content;
  }
}

TEST(CsvPeople, RecordsWithoutAnIdAreDropped) {
  EXPECT_EQ(
      read_people("a,b,id\nx,1,\nx,2, \t\nx,3,\"\"\nx,4,\" \"\nx,5,ann\nx,6\n\nx,7,ann,bob\n\"x,8,ann\n",
                  two_columns(), seeded_bound(3)),
      (Rows{{0, 5}}));
}

TEST(CsvPeople, RecordsThatAColumnDropsTakeNoPlace) {
  const model::Schema schema({{"a", model::Categories{{"x", "y"}}, model::Drop{}, model::Drop{}, true}});
  EXPECT_EQ(read_people("id,a\nann,\nann,zebra\nann,\nann,y\nann,y\nbob,x\n", schema, seeded_bound(2)),
            (Rows{{1}, {1}, {0}}));
}

TEST(CsvPeople, TheColumnOfIdsMustBeThere) {
  const auto failure = [](const std::string& content) {
    const TemporaryFile file(content);
    try {
      CsvFile(file.path(), two_columns(), {"a"}, seeded_bound(1));
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::usage;
  };
  EXPECT_EQ(failure("a,b\nx,1\n"), ErrorCode::column_absent);
  EXPECT_EQ(failure("id,a,b,id\n1,x,1,1\n"), ErrorCode::column_repeated);
}

// The definition, line by line: the fields of a line, or nothing if it is bad.
std::optional<std::vector<std::string>> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  bool closed = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '"') {
      quoted = false;
      closed = true;
    } else if (!quoted && line[i] == ',') {
      fields.emplace_back();
      closed = false;
    } else if (!quoted && line[i] == '"' && (closed || i == 0 || line[i - 1] == ',')) {
      if (closed) fields.back() += '"';
      quoted = true;
      closed = false;
    } else if (closed) {
      return std::nullopt;
    } else {
      fields.back() += line[i];
    }
  }
  if (line.empty() || quoted || fields.size() != 3) return std::nullopt;
  return fields;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string random_line(std::mt19937_64& random) {
  static const std::vector<std::string> kIds = {"a",      "b",         "\"a\"", " a",      "c\t",
                                                "\"b \"", "",          "\"\"",  "\"a,b\"", "\"\"\"\"",
                                                "a\"b",   "\"c\"\"\"", "\"x",   "\"a\"b"};
  static const std::vector<std::string> kLevels = {"x", "y", "\"p,q\"", "u\"v", "", "\"x\"", "zebra"};
  std::string line = kLevels[random() % kLevels.size()] + "," + kIds[random() % kIds.size()] + "," +
                     std::to_string(random() % 3);
  if (random() % 20 == 0) line += ",";
  if (random() % 20 == 0) line.clear();
  return line;
}

using RecordBag = std::multiset<std::vector<std::uint32_t>>;

/// What is kept of one person's records when there is nobody else.
RecordBag kept_alone(const std::string& id, const RecordBag& records, const ContributionBound& bound) {
  Wiped<std::uint8_t> a;
  Wiped<std::uint8_t> b;
  for (const auto& record : records) {
    a.push_back(static_cast<std::uint8_t>(record[0]));
    b.push_back(static_cast<std::uint8_t>(record[1]));
  }
  std::vector<CodedColumn> columns;
  columns.emplace_back(std::move(a));
  columns.emplace_back(std::move(b));
  const std::vector<std::string> ids(records.size(), id);
  const std::size_t rows = bound_contributions(columns, digests_of(ids, bound), bound, 1);
  RecordBag kept;
  for (std::size_t i = 0; i < rows; ++i) {
    kept.insert({std::get<Wiped<std::uint8_t>>(columns[0])[i], std::get<Wiped<std::uint8_t>>(columns[1])[i]});
  }
  return kept;
}

TEST(CsvPeople, AgreesWithTheDefinitionOnHostileLines) {
  std::mt19937_64 random(21);
  const model::Schema schema = two_columns();
  const model::Encoder a(schema.columns()[0]);
  const model::Encoder b(schema.columns()[1]);
  for (int round = 0; round < 200; ++round) {
    std::string content = "a,id,b\n";
    std::map<std::string, RecordBag> people;
    for (int i = 0; i < 60; ++i) {
      const std::string line = random_line(random);
      content += line + (i % 4 == 0 ? "\r\n" : "\n");
      const auto fields = fields_of(line);
      if (!fields || trimmed((*fields)[1]).empty()) continue;
      people[trimmed((*fields)[1])].insert(
          {a.encode(model::Field((*fields)[0])), b.encode(model::Field((*fields)[2]))});
    }
    const ContributionBound bound = seeded_bound(1 + round % 4, static_cast<std::uint64_t>(round));
    RecordBag expected;
    for (const auto& [id, records] : people) expected.merge(kept_alone(id, records, bound));
    const Rows kept = read_people(content, schema, bound);
    ASSERT_EQ(RecordBag(kept.begin(), kept.end()), expected);
  }
}

TEST(CsvPeople, AnyNumberOfThreadsAndChunksReadTheSame) {
  std::mt19937_64 random(22);
  std::string content = "a,b,id\n";
  while (content.size() < (std::size_t{33} << 20)) {
    content.append(random() % 2 == 0 ? "x,1,person " : "\"p,q\",2,person ");
    content.append(std::to_string(random() % 200'000)).append("\n");
    if (random() % 100 == 0) content.append("\"bad,line\n");
  }
  const TemporaryFile file(content);
  const ContributionBound bound = seeded_bound(2);
  const Records one = CsvFile(file.path(), two_columns(), {"a", "b"}, bound).read(1);
  const Records four = CsvFile(file.path(), two_columns(), {"a", "b"}, bound).read(4);
  EXPECT_LE(one.rows(), 400'000u);
  EXPECT_GT(one.rows(), 390'000u);
  for (const std::string name : {"a", "b"}) EXPECT_TRUE(one.column(name) == four.column(name));
}

}  // namespace
}  // namespace postern::owner
