#include <algorithm>
#include <cstring>

#include "postern/core/stop.hpp"

#include "check/readers.hpp"
#include "records/csv/header.hpp"
#include "records/csv/input.hpp"
#include "records/csv/line.hpp"
#include "records/csv/lines.hpp"

namespace postern::owner {
namespace {

class LineTally {
 public:
  LineTally(RecordsTally& tally, const std::vector<std::string>& header, char delimiter,
            const std::string& path)
      : tally_(tally), delimiter_(delimiter), header_fields_(header.size()) {
    for (const std::string& name : tally.columns()) places_.push_back(find_column(header, name, path));
    if (tally.id_column()) id_place_ = find_column(header, *tally.id_column(), path);
    wanted_.resize(places_.size());
  }

  /// Doubled quotes in the block are undone in place.
  void add_block(std::span<char> block) {
    char* const end = block.data() + block.size();
    for (char* line = block.data(); line != end;) {
      char* const newline = static_cast<char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
      const bool crlf = newline > line && newline[-1] == '\r';
      add_line(line, newline - (crlf ? 1 : 0));
      line = newline + 1;
    }
  }

 private:
  /// The faults for which RowEncoder calls a line bad.
  void add_line(char* begin, char* end) {
    const std::string_view line(begin, static_cast<std::size_t>(end - begin));
    if (line.empty()) return tally_.add(BrokenLine::empty);
    if (line.size() > kLongestLine || line.find('\0') != std::string_view::npos)
      return tally_.add(BrokenLine::no_text);
    if (!is_utf8(line)) return tally_.add(BrokenLine::not_utf8);
    const auto semicolons = std::count(begin, end, ';');
    if (!split_line(begin, end, delimiter_, fields_)) return tally_.add(BrokenLine::open_quote);
    if (fields_.size() != header_fields_) {
      const bool other = delimiter_ == ',' && header_fields_ > 1 &&
                         static_cast<std::size_t>(semicolons) + 1 == header_fields_;
      return tally_.add(other                             ? BrokenLine::semicolons
                        : fields_.size() > header_fields_ ? BrokenLine::too_many
                                                          : BrokenLine::too_few);
    }
    for (std::size_t c = 0; c < places_.size(); ++c) wanted_[c] = fields_[places_[c]];
    tally_.add(wanted_, id_place_ ? RecordsTally::MaybeField(fields_[*id_place_]) : std::nullopt);
  }

  RecordsTally& tally_;
  char delimiter_;
  std::size_t header_fields_;
  std::vector<std::size_t> places_;
  std::optional<std::size_t> id_place_;
  std::vector<std::string_view> fields_;
  std::vector<RecordsTally::MaybeField> wanted_;
};

}  // namespace

void tally_csv(const std::string& path, char delimiter, const model::Schema& schema, RecordsTally& tally) {
  const CsvInput input(path);
  LineFeed feed([&input](char* into, std::size_t bytes) { return input.read_on(into, bytes); });
  const std::vector<std::string> header = take_header(feed, path, delimiter);
  refuse_record_as_header(header, schema, path);
  LineTally lines(tally, header, delimiter, path);
  refuse_counts_as_records(header, schema, tally.id_column());
  for (std::span<char> block = feed.next(); !block.empty(); block = feed.next()) {
    Conversation{StopScope::current(), {}}.check();
    lines.add_block(block);
  }
}

}  // namespace postern::owner
