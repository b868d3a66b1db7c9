#include "public_rows.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/model/schema.hpp"
#include "postern/owner/arrow_files.hpp"
#include "postern/owner/count.hpp"
#include "postern/owner/csv.hpp"
#include "postern/owner/source.hpp"

#include "files.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kMostPublicBytes = std::size_t{1} << 30;

/// The fields of one line; nothing where a quote stays open.
std::optional<std::vector<std::string>> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool doubled = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) fields.back() += line[++i];
      if (!doubled) quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  if (quoted) return std::nullopt;
  return fields;
}

/// The lines of a CSV file: a record is one of them, as everywhere here.
std::vector<std::string_view> lines_of(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

infer::PublicColumn csv_column(const std::string& path, const std::string& name) {
  const std::string text = read_file(path, kMostPublicBytes);
  const std::vector<std::string_view> lines = lines_of(text);
  const std::vector<std::string> header = lines.empty()
                                              ? std::vector<std::string>()
                                              : fields_of(lines.front()).value_or(std::vector<std::string>());
  if (std::count(header.begin(), header.end(), name) != 1) {
    throw Error(ErrorCode::column_absent, {"public rows need the column '", from_document(name),
                                           "' once in the header of '", from_option(path), "'"});
  }
  const auto place = static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  infer::PublicColumn column;
  for (std::size_t row = 1; row < lines.size(); ++row) {
    auto fields = fields_of(lines[row]);
    const bool whole = fields && fields->size() == header.size();
    column.push_back(whole ? std::optional<std::string>(std::move((*fields)[place])) : std::nullopt);
  }
  return column;
}

}  // namespace

infer::PublicRows read_public_rows(const std::string& path, const model::Study& study, int threads) {
  infer::check_takes_public_rows(study);
  const owner::RecordsFormat format = owner::records_format(path, std::nullopt);
  if (const auto* number = std::get_if<model::Number>(&study.model)) {
    if (!format.csv) {
      throw Error(
          ErrorCode::unsupported,
          {"public rows of a number are read from CSV; the Python package takes them from any frame"});
    }
    return infer::read_public_rows({csv_column(path, number->column)}, study);
  }
  const std::vector<std::string> columns = model::columns_of(study.model);
  std::vector<model::Column> used;
  for (const std::string& name : columns) used.push_back(study.schema.at(name));
  const model::Schema schema(std::move(used));  // the file needs no other column of the study
  const owner::Records records =
      format.csv ? owner::CsvFile(path, schema, columns).read(threads)
                 : owner::ArrowFiles(path, format.table, schema, columns, std::nullopt, threads).read();
  return infer::PublicCounts{owner::count_table(records, schema, columns, threads)};
}

}  // namespace postern::app
