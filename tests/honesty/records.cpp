#include "records.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <stdexcept>

#include "postern/core/draw.hpp"

namespace postern::honesty {
namespace {

std::string stripped(std::string field) {
  const auto useless = [](char c) { return c == ' ' || c == '"' || c == '\r'; };
  while (!field.empty() && useless(field.back())) field.pop_back();
  field.erase(field.begin(), std::find_if_not(field.begin(), field.end(), useless));
  return field;
}

/// Commas within quotes do not part fields.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      out.emplace_back();
    } else {
      out.back() += c == ',' ? ';' : c;
    }
  }
  for (std::string& field : out) field = stripped(field);
  return out;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::size_t Records::place(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument("no column " + name);
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<double> Records::numbers(const std::string& name) const {
  const std::size_t column = place(name);
  std::vector<double> out;
  for (const auto& row : rows) {
    const std::optional<double> value = number(row[column]);
    if (!value) throw std::invalid_argument("'" + row[column] + "' in " + name + " is not a number");
    out.push_back(*value);
  }
  return out;
}

std::optional<Records> read_records(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return std::nullopt;
  Records out;
  std::string line;
  std::getline(in, line);
  out.names = fields(line);
  while (std::getline(in, line)) {
    std::vector<std::string> row = fields(line);
    if (row.size() == out.names.size()) out.rows.push_back(std::move(row));
  }
  return out;
}

Records select(const Records& from, const std::vector<std::string>& columns, bool complete) {
  Records out;
  out.names = columns;
  std::vector<std::size_t> places;
  for (const std::string& name : columns) places.push_back(from.place(name));
  for (const auto& row : from.rows) {
    std::vector<std::string> kept;
    bool lacks = false;
    for (const std::size_t p : places) {
      kept.push_back(row[p]);
      lacks = lacks || row[p].empty() || row[p] == "NA";
    }
    if (!(complete && lacks)) out.rows.push_back(std::move(kept));
  }
  return out;
}

Records cut(Records records, const std::string& column, const std::vector<double>& cuts) {
  const std::vector<double> values = records.numbers(column);
  const std::size_t place = records.place(column);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto level = std::upper_bound(cuts.begin(), cuts.end(), values[i]) - cuts.begin();
    records.rows[i][place] = std::to_string(level);
  }
  return records;
}

Records resample(const Records& population, std::size_t n, Rng& rng) {
  Records out;
  out.names = population.names;
  out.rows.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    out.rows.push_back(population.rows[draw_below(population.rows.size(), rng)]);
  return out;
}

void write_records(const Records& records, const std::filesystem::path& file) {
  std::string text;
  const auto line = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + row[i];
    text += '\n';
  };
  line(records.names);
  for (const auto& row : records.rows) line(row);
  std::ofstream(file) << text;
}

std::vector<std::string> levels(const Records& records, const std::string& column) {
  const std::size_t place = records.place(column);
  std::set<std::string> seen;
  for (const auto& row : records.rows) seen.insert(row[place]);
  std::vector<std::string> out(seen.begin(), seen.end());
  if (std::all_of(out.begin(), out.end(),
                  [](const std::string& level) { return number(level).has_value(); })) {
    std::sort(out.begin(), out.end(),
              [](const std::string& a, const std::string& b) { return *number(a) < *number(b); });
  }
  return out;
}

}  // namespace postern::honesty
