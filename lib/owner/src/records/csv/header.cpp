#include "header.hpp"

#include <algorithm>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

#include "delimiter.hpp"
#include "line.hpp"

namespace postern::owner {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [lower](char x, char y) { return lower(x) == lower(y); });
}

/// Throws no_header if another delimiter would cut the line.
void refuse_other_delimiter(const std::string& line, char in_use, const std::string& path) {
  const auto likelier = likelier_delimiter(line, in_use);
  if (!likelier) return;
  throw Error(ErrorCode::no_header,
              {"the fields in the first line of '", from_option(path),
               "' seem to be separated otherwise; read it with ", delimiter_option(*likelier)});
}

}  // namespace

std::vector<std::string> take_header(LineFeed& feed, const std::string& path, char delimiter) {
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
  const std::string unsplit = *line;
  if (!text || !split_line(line->data(), line->data() + line->size(), delimiter, fields)) {
    if (text) refuse_other_delimiter(unsplit, delimiter, path);
    throw Error(ErrorCode::no_header,
                {"the first line of '", from_option(path),
                 "' is not a CSV header: it must be UTF-8 text, end in LF or CRLF, and close its quotes"});
  }
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const std::string_view field : fields) names.push_back(trimmed(field));
  return names;
}

void refuse_uncut_header(const std::vector<std::string>& header, const std::string& path) {
  constexpr char kNone = '\0';  // the delimiter in use cut nothing
  if (header.size() == 1) refuse_other_delimiter(header.front(), kNone, path);
}

void refuse_record_as_header(const std::vector<std::string>& header, const model::Schema& schema,
                             const std::string& path) {
  const auto named = [&](const model::Column& column) {
    return std::find(header.begin(), header.end(), column.name) != header.end();
  };
  const auto& columns = schema.columns();
  if (std::any_of(columns.begin(), columns.end(), named)) return;
  refuse_uncut_header(header, path);
  for (const model::Column& column : columns) {
    if (find_case(header, column.name)) (void)find_column(header, column.name, path);
  }
  throw Error(
      ErrorCode::no_header,
      {"the first line of '", from_option(path), "' names none of the study's columns, such as '",
       from_study(columns.front().name), "'; put the header line back, or spell its names as in the study"});
}

void refuse_counts_as_records(const std::vector<std::string>& header, const model::Schema& schema,
                              const std::optional<std::string>& id_column) {
  const auto& columns = schema.columns();
  const bool declared = std::any_of(columns.begin(), columns.end(),
                                    [](const model::Column& column) { return column.name == kCountColumn; });
  if (header.empty() || header.back() != kCountColumn || declared || id_column == kCountColumn) return;
  throw Error(ErrorCode::bad_option,
              {"the last column is named 'count', and the study does not declare it: a table of counts needs "
               "--counts; if these are records, rename that column"});
}

std::optional<std::string> find_case(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const std::string& other) { return equal_but_for_case(other, name); });
  return found == names.end() ? std::nullopt : std::optional(*found);
}

std::size_t find_column(const std::vector<std::string>& header, const std::string& name,
                        const std::string& path) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) {
    if (const auto other = find_case(header, name)) {
      throw Error(ErrorCode::column_absent,
                  {"the header of '", from_option(path), "' has no column '", from_study(name),
                   "', but has '", from_header(*other), "': spell them alike, capitals too"});
    }
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
