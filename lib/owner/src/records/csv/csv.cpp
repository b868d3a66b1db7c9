#include "postern/owner/csv.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"

#include "header.hpp"
#include "input.hpp"
#include "lines.hpp"
#include "rows.hpp"

namespace postern::owner {
namespace {

// The unit of parallel work. The records do not depend on it: a line belongs to the chunk it begins in.
constexpr std::uint64_t kChunk = std::uint64_t{1} << 24;

/// The columns of one stretch of the file.
struct Part {
  std::vector<CodedColumn> columns;
  Wiped<PersonDigest> people;  // whose row it is, if that is asked for
  std::size_t rows = 0;
};

Part read_lines(LineFeed& feed, const RowPlan& plan) {
  RowEncoder encoder(plan);
  for (std::span<char> block = feed.next(); !block.empty(); block = feed.next())
    encoder.add(feed.memory(), block);
  return {std::move(encoder.columns()), std::move(encoder.people()), encoder.rows()};
}

[[noreturn]] void refuse_cut_file(const CsvInput& input) {
  throw Error(ErrorCode::input_unreadable,
              {"the file '", from_option(input.path()), "' was cut short while it was read"});
}

/// Reads onwards from an offset to the size the file had when reading began.
LineFeed::Fetch fetch_from(const CsvInput& input, std::uint64_t offset, std::uint64_t size) {
  return [&input, offset, size](char* into, std::size_t bytes) mutable {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, size - offset));
    const std::size_t got = input.read_at(offset, into, wanted);
    if (got < wanted) refuse_cut_file(input);
    offset += got;
    return got;
  };
}

LineFeed::Fetch fetch_on(const CsvInput& input) {
  return [&input](char* into, std::size_t bytes) { return input.read_on(into, bytes); };
}

Part read_chunk(const CsvInput& input, const RowPlan& plan, std::uint64_t begin, std::uint64_t end,
                std::uint64_t size, bool first) {
  // One byte early: a newline there means that a line begins at `begin`.
  const std::uint64_t start = begin - (first ? 0 : 1);
  LineFeed feed(fetch_from(input, start, size));
  if (!first) feed.skip_line();
  feed.stop_at(end - start);
  return read_lines(feed, plan);
}

/// All rows of one column, taken out of the parts.
template <class Code, class Piece>
void gather(std::vector<Part>& parts, std::size_t rows, Wiped<Code>& all, Piece piece_of) {
  all.reserve(rows);
  for (Part& part : parts) {
    Wiped<Code>& piece = piece_of(part);
    all.insert(all.end(), piece.begin(), piece.end());
    Wiped<Code>().swap(piece);
  }
}

Part join(std::vector<Part>& parts, const RowPlan& plan) {
  Part joined;
  for (const Part& part : parts) joined.rows += part.rows;
  for (std::size_t c = 0; c < plan.encoders.size(); ++c) {
    CodedColumn column = make_coded_column(plan.encoders[c].levels());
    std::visit(
        [&](auto& codes) {
          using Codes = std::decay_t<decltype(codes)>;
          gather(parts, joined.rows, codes,
                 [c](Part& part) -> Codes& { return std::get<Codes>(part.columns[c]); });
        },
        column);
    joined.columns.push_back(std::move(column));
  }
  if (plan.id_place) {
    gather(parts, joined.rows, joined.people, [](Part& part) -> auto& { return part.people; });
  }
  return joined;
}

}  // namespace

struct CsvFile::Source {
  explicit Source(const std::string& path)
      : input(path),
        size(input.seekable() ? input.size() : 0),
        feed(input.seekable() ? fetch_from(input, 0, size) : fetch_on(input)) {}

  CsvInput input;
  std::uint64_t size;  // when the header was read
  LineFeed feed;       // stands behind the header
  std::vector<std::string> names;
  RowPlan plan;
  std::optional<ContributionBound> bound;
};

CsvFile::CsvFile(const std::string& path, const model::Schema& schema,
                 std::vector<std::string> wanted_columns, std::optional<ContributionBound> bound,
                 char delimiter)
    : source_(std::make_unique<Source>(path)) {
  const std::vector<std::string> header = take_header(source_->feed, path, delimiter);
  refuse_record_as_header(header, schema, path);
  for (const model::Column& column : schema.columns()) (void)find_column(header, column.name, path);
  refuse_counts_as_records(header, schema, bound ? std::optional(bound->column) : std::nullopt);
  source_->plan.delimiter = delimiter;
  source_->plan.fields = header.size();
  for (const std::string& name : wanted_columns) {
    source_->plan.encoders.emplace_back(schema.at(name));
    source_->plan.places.push_back(find_column(header, name, path));
  }
  source_->names = std::move(wanted_columns);
  if (!bound) return;
  source_->plan.id_place = find_column(header, bound->column, path);
  source_->plan.key = bound->key;
  source_->bound = std::move(bound);
}
CsvFile::CsvFile(CsvFile&&) noexcept = default;
CsvFile::~CsvFile() = default;

bool CsvFile::is_empty() const { return source_->feed.at_end(); }

Records CsvFile::read(int threads) && {
  const CsvInput& input = source_->input;
  const RowPlan& plan = source_->plan;
  std::vector<Part> parts;
  if (input.seekable()) {
    const std::uint64_t begin = source_->feed.position();
    const std::uint64_t size = input.size();
    if (size < source_->size) refuse_cut_file(input);
    parts.resize(static_cast<std::size_t>((size - begin + kChunk - 1) / kChunk));
    parallel_for(parts.size(), threads, [&](std::size_t i) {
      const std::uint64_t from = begin + i * kChunk;
      parts[i] = read_chunk(input, plan, from, std::min(size, from + kChunk), size, i == 0);
    });
  } else {
    parts.push_back(read_lines(source_->feed, plan));
  }
  Part all = join(parts, plan);
  std::vector<std::uint32_t> levels;
  levels.reserve(plan.encoders.size());
  for (const model::Encoder& encoder : plan.encoders) levels.push_back(encoder.levels());
  if (source_->bound)
    return bounded_records(source_->names, std::move(levels), std::move(all.columns), all.people,
                           *source_->bound, threads);
  return Records(source_->names, std::move(levels), std::move(all.columns), all.rows);
}

std::vector<std::string> read_csv_header(const std::string& path, char delimiter) {
  const CsvInput input(path);
  LineFeed feed(fetch_on(input));
  std::vector<std::string> names = take_header(feed, path, delimiter);
  refuse_uncut_header(names, path);
  refuse_values_as_names(names, path);
  return names;
}

}  // namespace postern::owner
