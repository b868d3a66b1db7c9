#include "toml_guard.hpp"

#include <algorithm>
#include <string>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

// The deepest key of a study, columns.<name>.outside.map-to, has 4.
constexpr int kMaxParts = 32;

[[noreturn]] void refuse(std::string_view text, std::size_t at, std::string_view file_name,
                         const PublicText& why) {
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  throw Error(ErrorCode::study_syntax, {from_option(file_name), ":", public_number(line),
                                        ": not valid TOML: ", quote(why.str(), 200)});
}

/// Offset just past the TOML string that starts at `at`; a one-line string ends with its line.
std::size_t past_string(std::string_view text, std::size_t at) {
  const std::string triple(3, text[at]);
  const bool multiline = text.substr(at, 3) == triple;
  std::size_t i = at + (multiline ? 3 : 1);
  for (; i < text.size(); ++i) {
    if (text[at] == '"' && text[i] == '\\') {
      ++i;
    } else if (multiline ? text.substr(i, 3) == triple : text[i] == text[at] || text[i] == '\n') {
      i += multiline ? 3 : 1;
      // Up to two more quotes belong to a multi-line string.
      for (int more = 0; multiline && more < 2 && i < text.size() && text[i] == text[at]; ++more) ++i;
      return i;
    }
  }
  return text.size();
}

}  // namespace

void check_toml_form(std::string_view text, std::string_view file_name) {
  std::size_t i = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  int parts = 1;  // of the key or number around here
  while (i < text.size()) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      i = past_string(text, i);
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      refuse(text, i, file_name, {"a character that is not ASCII must stand in quotes"});
    } else {
      if (c == '.') ++parts;
      if (c == '\n' || c == '=' || c == ',') parts = 1;
      if (parts > kMaxParts) refuse(text, i, file_name, {"a key has more than 32 parts"});
      ++i;
    }
  }
}

}  // namespace postern::model
