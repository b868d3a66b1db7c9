#include "kinds/csv_text.hpp"

#include <algorithm>

namespace postern::model {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kSpace);
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(kSpace) - from + 1));
}

/// A field without the quotes around it.
std::string unquoted(std::string_view text) {
  std::string field = trimmed(text);
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return field;
  std::string out;
  for (std::size_t i = 1; i + 1 < field.size(); ++i) {
    out.push_back(field[i]);
    if (field[i] == '"' && field[i + 1] == '"') ++i;
  }
  return out;
}

std::vector<std::string> fields(std::string_view line) {
  std::vector<std::string> out;
  std::size_t from = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] != ',' || quoted) continue;
    out.push_back(unquoted(line.substr(from, i - from)));
    from = i + 1;
  }
  out.push_back(unquoted(line.substr(from)));
  return out;
}

}  // namespace

std::vector<std::vector<std::string>> csv_lines(std::string_view text) {
  std::vector<std::vector<std::string>> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (text.substr(0, end).find_first_not_of(kSpace) != std::string_view::npos)
      out.push_back(fields(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace postern::model
