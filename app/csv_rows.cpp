#include "csv_rows.hpp"

#include <algorithm>
#include <vector>

#include "postern/infer/rows.hpp"
#include "postern/model/schema.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kMostPublicBytes = std::size_t{1} << 30;

/// The fields of one line; nothing where a quote stays open.
std::optional<std::vector<std::string>> fields_of(std::string_view line, char delimiter) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool doubled = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) fields.back() += line[++i];
      if (!doubled) quoted = !quoted;
    } else if (line[i] == delimiter && !quoted) {
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

/// The study's declarations of the model's columns: public rows need no other, but for people's ids where the
/// model is of sequences, which no study declares.
model::Schema used_columns(const model::Study& study) {
  std::vector<model::Column> used;
  const std::size_t declared = model::columns_of(study.model).size();
  for (const std::string& name : infer::row_columns(study)) {
    if (used.size() < declared) {
      used.push_back(study.schema.at(name));
    } else {
      used.push_back({name, model::Categories{{"id"}}, model::Drop{}, model::Drop{}});
    }
  }
  return model::Schema(std::move(used));
}

}  // namespace

void for_each_row(const std::string& path, const model::Study& study, char delimiter,
                  owner::PublicColumns columns,
                  const std::function<void(std::span<const std::optional<std::string_view>>)>& take) {
  const owner::PublicCsv csv =
      owner::read_public_csv(path, used_columns(study), delimiter, kMostPublicBytes, columns);
  std::vector<std::optional<std::string_view>> chosen(csv.places.size());
  for (const std::string_view line : lines_of(csv.lines)) {
    const auto fields = fields_of(line, delimiter);
    const bool whole = fields && fields->size() == csv.fields;
    for (std::size_t c = 0; c < csv.places.size(); ++c) {
      const bool there = whole && csv.places[c] != owner::kAbsentColumn;
      chosen[c] = there ? std::optional<std::string_view>((*fields)[csv.places[c]]) : std::nullopt;
    }
    take(chosen);
  }
}

}  // namespace postern::app
