#include "delimiter.hpp"

#include "postern/core/error.hpp"
#include "postern/owner/csv.hpp"

#include "line.hpp"

namespace postern::owner {

char parse_delimiter(const std::optional<std::string>& named) {
  if (!named) return ',';
  if (*named == "tab" || *named == "\\t") return '\t';
  if (named->size() == 1 && kDelimiters.find(named->front()) != std::string_view::npos) return named->front();
  throw Error(ErrorCode::bad_option,
              {"'", from_option(*named),
               "' is no delimiter; fields are separated by ',' or ';' or '|' or a tab (written tab)"});
}

Piece delimiter_option(char delimiter) {
  switch (delimiter) {
    case ';':
      return "--delimiter ;";
    case '\t':
      return "--delimiter tab";
    case '|':
      return "--delimiter |";
    default:
      return "--delimiter ,";
  }
}

std::optional<char> likelier_delimiter(const std::string& line, char in_use) {
  std::optional<char> likelier;
  std::size_t most = 1;
  std::vector<std::string_view> fields;
  for (const char delimiter : kDelimiters) {
    std::string copy = line;  // doubled quotes are undone in place
    if (delimiter == in_use) continue;
    if (!split_line(copy.data(), copy.data() + copy.size(), delimiter, fields) || fields.size() <= most)
      continue;
    most = fields.size();
    likelier = delimiter;
  }
  return likelier;
}

}  // namespace postern::owner
