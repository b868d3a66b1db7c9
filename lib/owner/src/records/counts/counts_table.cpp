#include "postern/owner/counts_table.hpp"

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <optional>

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
[[noreturn]] void refuse_counts(const std::string& path, bool in_blocks) {
  throw Error(ErrorCode::input_unreadable,
              {"'", from_option(path),
               "' is no table of counts, and is not used at all: every row needs as many fields as the "
               "header and, last, a whole number of at least 0 (such as 1000, 1,000 in quotes, 1000.0 or "
               "1e3), and they add up to at most ",
               public_number(kMostCounted),
               from_study(in_blocks ? "; the column 'block' names the columns that a row is counted by, such "
                                      "as \"smoker,age\" in quotes, and all blocks add up to the same"
                                    : "")});
}

/// Counts by some columns: the levels of each row that counts, row by row.
struct CountedBlock {
  std::vector<std::size_t> columns;  ///< their places among those that are read, rising
  Wiped<std::uint32_t> cells;
  Wiped<std::int64_t> counts;
  std::int64_t total = 0;
};

/// Where records may be dropped, whether the blocks add up to the same would depend on one of them.
void refuse_dropping(const model::Schema& schema, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const model::Column& column = schema.at(name);
    if (!std::holds_alternative<model::Drop>(column.missing) &&
        !std::holds_alternative<model::Drop>(column.outside))
      continue;
    throw Error(ErrorCode::bad_option,
                {"counts in blocks cannot follow the column '", from_study(name),
                 "', which drops records; give it another policy, or one table of all columns"});
  }
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
  [[nodiscard]] std::size_t place(std::string_view name) const {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  [[nodiscard]] std::optional<std::vector<std::size_t>> places_of(
      const std::vector<std::string>& wanted) const;
  /// The block of these columns, new if there is none.
  [[nodiscard]] CountedBlock& block_of(std::vector<std::size_t> columns);
  /// That which a row names; nothing if it names none.
  [[nodiscard]] CountedBlock* named_block(std::string_view name);
  /// One that is counted by all of these columns.
  [[nodiscard]] const CountedBlock* find_block(const std::vector<std::size_t>& columns) const;

  model::Schema schema;
  char delimiter;
  CsvInput input;
  LineFeed feed;
  std::size_t fields = 0;
  std::vector<std::string> names;
  std::vector<std::size_t> places;
  std::vector<model::Encoder> encoders;
  std::optional<std::size_t> block_field;  ///< where it is, in long form

  std::vector<std::string_view> split;
  std::list<CountedBlock> blocks;
  std::map<std::string, CountedBlock*, std::less<>> by_name;  ///< as rows spell it
};

std::optional<std::vector<std::size_t>> CountsTable::Source::places_of(
    const std::vector<std::string>& wanted) const {
  std::vector<std::size_t> out;
  for (const std::string& name : wanted) {
    out.push_back(place(name));
    if (out.back() == names.size()) return std::nullopt;
  }
  return out;
}

CountedBlock& CountsTable::Source::block_of(std::vector<std::size_t> columns) {
  for (CountedBlock& block : blocks)
    if (block.columns == columns) return block;
  return blocks.emplace_back(CountedBlock{std::move(columns), {}, {}, 0});
}

CountedBlock* CountsTable::Source::named_block(std::string_view name) {
  if (const auto known = by_name.find(name); known != by_name.end()) return known->second;
  std::vector<std::size_t> columns;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(',', begin), name.size());
    std::string_view one = name.substr(begin, end - begin);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    columns.push_back(place(one));
    begin = end + 1;
  }
  std::sort(columns.begin(), columns.end());
  const bool repeated = std::adjacent_find(columns.begin(), columns.end()) != columns.end();
  if (repeated || columns.back() == names.size()) return nullptr;
  return by_name.emplace(name, &block_of(std::move(columns))).first->second;
}

const CountedBlock* CountsTable::Source::find_block(const std::vector<std::size_t>& columns) const {
  for (const CountedBlock& block : blocks) {
    const bool all = std::all_of(columns.begin(), columns.end(), [&](std::size_t column) {
      return std::binary_search(block.columns.begin(), block.columns.end(), column);
    });
    if (all) return &block;
  }
  return nullptr;
}

bool CountsTable::Source::read_line(char* begin, char* end) {
  if (end != begin && end[-1] == '\r') --end;
  const std::string_view line(begin, static_cast<std::size_t>(end - begin));
  if (line.empty()) return true;
  if (line.size() > kLongestLine || line.find('\0') != std::string_view::npos || !is_utf8(line)) return false;
  if (!split_line(begin, end, delimiter, split) || split.size() != fields) return false;
  CountedBlock* block = block_field ? named_block(split[*block_field]) : &blocks.front();
  const auto count = parse_count(split.back());
  if (block == nullptr || !count || *count > kMostCounted - block->total) return false;
  const std::size_t before = block->cells.size();
  for (const std::size_t c : block->columns) {
    const std::uint32_t level = encoders[c].encode(model::Field(split[places[c]]));
    if (level == model::kDropped) {
      block->cells.resize(before);
      return true;
    }
    block->cells.push_back(level);
  }
  block->counts.push_back(*count);
  block->total += *count;
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
  std::vector<std::size_t> all;
  for (const std::string& name : wanted_columns) {
    all.push_back(source_->encoders.size());
    source_->encoders.emplace_back(schema.at(name));
    source_->places.push_back(find_column(header, name, path));
  }
  const auto block = std::find(header.begin(), header.end(), kBlockColumn);
  if (block != header.end() && !schema.find(kBlockColumn)) {
    source_->block_field = static_cast<std::size_t>(block - header.begin());
    refuse_dropping(schema, wanted_columns);
  } else {
    source_->blocks.push_back({std::move(all), {}, {}, 0});
  }
  source_->names = std::move(wanted_columns);
}
CountsTable::CountsTable(CountsTable&&) noexcept = default;
CountsTable::~CountsTable() = default;

bool CountsTable::is_empty() const { return source_->feed.at_end(); }

void CountsTable::read() {
  const auto refuse = [&] { refuse_counts(source_->input.path(), source_->block_field.has_value()); };
  for (std::span<char> part = source_->feed.next(); !part.empty(); part = source_->feed.next()) {
    for (char* at = part.data(); at != part.data() + part.size();) {
      char* const newline = std::find(at, part.data() + part.size(), '\n');
      if (!source_->read_line(at, newline)) refuse();
      at = newline + 1;
    }
  }
  for (const CountedBlock& block : source_->blocks)
    if (block.total != total()) refuse();
}

void CountsTable::check_counted(const std::vector<std::string>& columns) const {
  const auto places = source_->places_of(columns);
  if (total() == 0 || (places && source_->find_block(*places) != nullptr)) return;
  std::string name;
  for (const std::string& column : columns) name += (name.empty() ? "" : ",") + column;
  throw Error(ErrorCode::column_absent, {"'", from_option(source_->input.path()), "' has no block \"",
                                         from_study(name), "\", by which the study counts; add its rows"});
}

std::int64_t CountsTable::total() const {
  return source_->blocks.empty() ? 0 : source_->blocks.front().total;
}

std::vector<Int128> CountsTable::measure(const model::Statistic& statistic) const {
  const Source& source = *source_;
  const std::unique_ptr<model::Tally> tally = statistic.kind().tally(statistic, source.schema);
  const auto places = source.places_of(statistic.kind().columns(statistic));
  const CountedBlock* block = places ? source.find_block(*places) : nullptr;
  if (!places || (block == nullptr && total() > 0))
    throw Error(ErrorCode::unknown_column, {"the columns of a statistic were not counted"});
  if (block == nullptr) return tally->values();
  std::vector<std::size_t> columns;  // within the block
  for (const std::size_t place : *places)
    columns.push_back(static_cast<std::size_t>(
        std::lower_bound(block->columns.begin(), block->columns.end(), place) - block->columns.begin()));
  Wiped<std::uint32_t> levels(columns.size());
  for (std::size_t row = 0; row < block->counts.size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      levels[c] = block->cells[row * block->columns.size() + columns[c]];
    tally->add(levels, block->counts[row]);
  }
  return tally->values();
}

}  // namespace postern::owner
