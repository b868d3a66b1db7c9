#include "postern/owner/counts_table.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/encode.hpp"
#include "postern/owner/coded_table.hpp"

#include "count_text.hpp"
#include "records/csv/header.hpp"
#include "records/csv/input.hpp"
#include "records/csv/line.hpp"
#include "records/csv/lines.hpp"

namespace postern::owner {
namespace {

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
  if (header.back() != kCountColumn) {
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

std::vector<Int128> CountsTable::measure(const model::Statistic& statistic) const {
  const Source& source = *source_;
  const std::unique_ptr<model::Tally> tally = statistic.kind().tally(statistic, source.schema);
  std::vector<std::size_t> columns;
  for (const std::string& name : statistic.kind().columns(statistic)) {
    columns.push_back(source.place(name));
    if (columns.back() == source.names.size())
      throw Error(ErrorCode::unknown_column, {"the column '", from_study(name), "' was not read"});
  }
  Wiped<std::uint32_t> levels(columns.size());
  for (std::size_t row = 0; row < source.counts.size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      levels[c] = source.cells[row * source.encoders.size() + columns[c]];
    tally->add(levels, source.counts[row]);
  }
  return tally->values();
}

}  // namespace postern::owner
