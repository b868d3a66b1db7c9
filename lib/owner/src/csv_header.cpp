#include "csv_header.hpp"

#include <algorithm>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

#include "csv_line.hpp"

namespace postern::owner {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

}  // namespace

std::vector<std::string> take_header(LineFeed& feed, const std::string& path) {
  auto line = feed.take_line();
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (line && line->starts_with(kByteOrderMark)) line->erase(0, kByteOrderMark.size());
  if (!line || trimmed(*line).empty()) {
    throw Error(ErrorCode::no_header, {"'", from_option(path),
                                       "' has no header: its first line must hold the names of the columns"});
  }
  std::vector<std::string_view> fields;
  const bool text =
      line->find('\0') == std::string::npos && line->find('\r') == std::string::npos && is_utf8(*line);
  if (!text || !split_line(line->data(), line->data() + line->size(), fields)) {
    throw Error(ErrorCode::no_header,
                {"the first line of '", from_option(path),
                 "' is not a CSV header: it must be UTF-8 text, end in LF or CRLF, and close its quotes"});
  }
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const std::string_view field : fields) names.push_back(trimmed(field));
  return names;
}

void refuse_record_as_header(const std::vector<std::string>& header, const model::Schema& schema,
                             const std::string& path) {
  const auto named = [&](const model::Column& column) {
    return std::find(header.begin(), header.end(), column.name) != header.end();
  };
  const auto& columns = schema.columns();
  if (std::any_of(columns.begin(), columns.end(), named)) return;
  throw Error(
      ErrorCode::no_header,
      {"the first line of '", from_option(path), "' names none of the study's columns, such as '",
       from_study(columns.front().name), "'; put the header line back, or spell its names as in the study"});
}

std::size_t find_column(const std::vector<std::string>& header, const std::string& name,
                        const std::string& path) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) {
    const auto nearest = model::nearest_name(name, header);
    if (nearest) {
      throw Error(ErrorCode::column_absent,
                  {"the header of '", from_option(path), "' has no column '", from_study(name),
                   "'; did you mean '", from_header(*nearest), "'?"});
    }
    throw Error(ErrorCode::column_absent,
                {"the header of '", from_option(path), "' has no column '", from_study(name), "'"});
  }
  if (std::find(found + 1, header.end(), name) != header.end()) {
    throw Error(ErrorCode::column_repeated, {"the header of '", from_option(path), "' has the column '",
                                             from_study(name), "' more than once"});
  }
  return static_cast<std::size_t>(found - header.begin());
}

}  // namespace postern::owner
