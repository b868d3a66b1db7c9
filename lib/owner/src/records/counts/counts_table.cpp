#include "postern/owner/counts_table.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/encode.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/count.hpp"

#include "count_text.hpp"
#include "records/csv/header.hpp"
#include "records/csv/input.hpp"
#include "records/csv/line.hpp"
#include "records/csv/lines.hpp"

namespace postern::owner {
namespace {

constexpr const char* kCountName = "count";

/// One sentence for every fault, so that it tells nothing of where and what it is.
[[noreturn]] void refuse_counts(const std::string& path) {
  throw Error(ErrorCode::input_unreadable,
              {"'", from_option(path),
               "' is no table of counts, and is not used at all: every row needs as many fields as the "
               "header and, last, a whole number of at least 0 (such as 1000, 1,000 in quotes, 1000.0 or "
               "1e3), and they add up to at most ",
               public_number(kMostCounted)});
}

}  // namespace

struct CountsTable::Source {
  Source(const std::string& path, const model::Schema& declared, char between)
      : schema(declared),
        delimiter(between),
        input(path),
        feed([this](char* into, std::size_t bytes) { return input.read_on(into, bytes); }) {}

  /// False if it is no row of a table of counts.
  [[nodiscard]] bool read_line(char* begin, char* end);
  [[nodiscard]] std::size_t place(const std::string& name) const {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  model::Schema schema;
  char delimiter;
  CsvInput input;
  LineFeed feed;
  std::size_t fields = 0;
  std::vector<std::string> names;
  std::vector<std::size_t> places;
  std::vector<model::Encoder> encoders;

  std::vector<std::string_view> split;
  Wiped<std::uint32_t> cells;  // the levels of each row that counts, row by row
  Wiped<std::int64_t> counts;
  std::int64_t total = 0;
};

bool CountsTable::Source::read_line(char* begin, char* end) {
  if (end != begin && end[-1] == '\r') --end;
  const std::string_view line(begin, static_cast<std::size_t>(end - begin));
  if (line.empty()) return true;
  if (line.size() > kLongestLine || line.find('\0') != std::string_view::npos || !is_utf8(line)) return false;
  if (!split_line(begin, end, delimiter, split) || split.size() != fields) return false;
  const auto count = parse_count(split.back());
  if (!count || *count > kMostCounted - total) return false;
  const std::size_t before = cells.size();
  for (std::size_t c = 0; c < encoders.size(); ++c) {
    const std::uint32_t level = encoders[c].encode(model::Field(split[places[c]]));
    if (level == model::kDropped) {
      cells.resize(before);
      return true;
    }
    cells.push_back(level);
  }
  counts.push_back(*count);
  total += *count;
  return true;
}

CountsTable::CountsTable(const std::string& path, const model::Schema& schema,
                         std::vector<std::string> wanted_columns, char delimiter)
    : source_(std::make_unique<Source>(path, schema, delimiter)) {
  std::vector<std::string> header = take_header(source_->feed, path, delimiter);
  if (header.back() != kCountName) {
    refuse_uncut_header(header, path);
    throw Error(ErrorCode::column_absent,
                {"the last column of '", from_option(path), "' must be named 'count' and hold the counts"});
  }
  source_->fields = header.size();
  header.pop_back();
  for (const std::string& name : wanted_columns) {
    source_->encoders.emplace_back(schema.at(name));
    source_->places.push_back(find_column(header, name, path));
  }
  source_->names = std::move(wanted_columns);
}
CountsTable::CountsTable(CountsTable&&) noexcept = default;
CountsTable::~CountsTable() = default;

void CountsTable::read() {
  for (std::span<char> block = source_->feed.next(); !block.empty(); block = source_->feed.next()) {
    for (char* at = block.data(); at != block.data() + block.size();) {
      char* const newline = std::find(at, block.data() + block.size(), '\n');
      if (!source_->read_line(at, newline)) refuse_counts(source_->input.path());
      at = newline + 1;
    }
  }
}

std::int64_t CountsTable::total() const { return source_->total; }

Wiped<std::int64_t> CountsTable::count(const std::vector<std::string>& names) const {
  const Source& source = *source_;
  std::vector<std::size_t> columns;
  std::size_t size = 1;
  for (const std::string& name : names) {
    const std::size_t place = source.place(name);
    if (place == source.names.size()) {
      throw Error(ErrorCode::unknown_column, {"the column '", from_study(name), "' was not read"});
    }
    columns.push_back(place);
    size *= source.encoders[place].levels();
  }
  Wiped<std::int64_t> sums(size, 0);
  for (std::size_t row = 0; row < source.counts.size(); ++row) {
    std::size_t cell = 0;
    for (const std::size_t c : columns) {
      cell = cell * source.encoders[c].levels() + source.cells[row * source.encoders.size() + c];
    }
    sums[cell] += source.counts[row];
  }
  return sums;
}

Int128 CountsTable::sum_of(const model::ProductSum& product) const {
  const Source& source = *source_;
  const std::size_t first = source.place(product.first);
  const std::size_t second = source.place(product.second);
  const std::int64_t first_k = model::level_ends(source.schema.at(product.first)).least;
  const std::int64_t second_k = model::level_ends(source.schema.at(product.second)).least;
  Int128 sum = 0;
  for (std::size_t row = 0; row < source.counts.size(); ++row) {
    const std::uint32_t* const levels = source.cells.data() + row * source.encoders.size();
    sum += Int128{source.counts[row]} * Int128{levels[first] + first_k} * Int128{levels[second] + second_k};
  }
  return sum;
}

std::vector<Int128> CountsTable::measure(const model::Statistic& statistic) const {
  if (const auto* one = std::get_if<model::LevelCount>(&statistic))
    return {Int128{count({one->column}).at(one->level)}};
  if (const auto* sum = std::get_if<model::LevelSum>(&statistic))
    return {sum_levels(count({sum->column}), model::level_terms(*sum, source_->schema))};
  if (const auto* product = std::get_if<model::ProductSum>(&statistic)) return {sum_of(*product)};
  if (const auto* scores = std::get_if<model::RankScores>(&statistic)) {
    const auto ranked = model::rank_scores(*scores, count({scores->column}));
    return {ranked.begin(), ranked.end()};
  }
  if (std::holds_alternative<model::RecordCount>(statistic)) return {Int128{source_->total}};
  const Wiped<std::int64_t> counts = count(std::get<model::Table>(statistic).columns);
  return {counts.begin(), counts.end()};
}

}  // namespace postern::owner
